import CommandLineKit
import VaultContainer

/// What applies without an option, for the help.
enum DefaultText {
    static let jobs = "all processors"
    static let progress = "auto"
    static var iterations: String { "\(ContainerFormat.defaultIterations)" }
    static let archive = "health.hvault"
    static let folder = "health-export"
}
