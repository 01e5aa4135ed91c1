import CommandLineKit
import VaultContainer

/// The default values of options, as shown in help.
package enum DefaultText {
    package static let jobs = "all processors"
    package static let progress = "auto"
    package static var iterations: String { "\(ContainerFormat.defaultIterations)" }
    package static let archive = "health.hvault"
    package static let folder = "health-export"
    package static let readerPage = "open.html"
}
