package import CommandLineKit
import VaultContainer

/// Options that many commands have, declared once for all of them.
extension GrammarElement {
    /// The option for the number of threads.
    package static func jobs(_ setting: Setting<Int>) -> Self {
        .expert([
            .option(
                setting, "jobs", short: "j", value: "N", default: DefaultText.jobs, "number of threads",
                as: .integer(in: 1...256))
        ])
    }

    /// The option for the cost of a key derivation.
    package static func iterations(_ setting: Setting<Int?>) -> Self {
        .expert([
            .option(
                setting, "iterations", value: "N", default: DefaultText.iterations,
                "PBKDF2 iterations for a new passphrase", as: .integer(in: ContainerFormat.writableIterations)
            )
        ])
    }

    /// The option for the style of progress.
    package static func progress(_ setting: Setting<ProgressStyle>) -> Self {
        .expert([
            .option(
                setting, "progress", value: "STYLE", default: DefaultText.progress,
                "how to show progress: auto, plain, json or none", as: .choice)
        ])
    }

    /// The flag for errors alone.
    package static func quiet(_ setting: Setting<Bool>) -> Self {
        .flag(setting, "quiet", short: "q", "print errors only")
    }

    /// The flag for a report in JSON.
    package static func json(_ setting: Setting<Bool>) -> Self {
        .flag(setting, "json", "print a JSON report")
    }
}

/// The default values of options, as shown in help.
package enum DefaultText {
    package static let jobs = "all processors"
    package static let progress = "auto"
    package static var iterations: String { "\(ContainerFormat.defaultIterations)" }
    package static let archive = "health.hvault"
    package static let folder = "health-export"
    package static let readerPage = "open.html"
}
