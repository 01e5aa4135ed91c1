import CommandLineKit
import VaultContainer

/// The default values of options, as shown in help.
enum DefaultText {
    static let jobs = "all processors"
    static let progress = "auto"
    static var iterations: String { "\(ContainerFormat.defaultIterations)" }
    static let archive = "health.hvault"
    static let folder = "health-export"
    static let readerPage = "open.html"
}
