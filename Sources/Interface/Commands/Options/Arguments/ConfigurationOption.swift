package import CommandLineKit
package import HealthVault
package import SystemIO

/// The option for the folder with destinations and schedules.
package struct ConfigurationOption: Sendable {
    package var path: BytePath?

    package init() {}

    package static let elements: [GrammarElement<ConfigurationOption>] = [
        .expert([
            .option(
                \.path, "config-dir", value: "DIR", default: "$XDG_CONFIG_HOME/healthvault",
                "the folder with destinations and schedules", as: .folder)
        ])
    ]

    /// The folder.
    package var folder: ConfigurationFolder {
        get throws(UsageError) {
            if let path { return ConfigurationFolder(path) }
            guard let standard = ConfigurationFolder.standard() else {
                throw UsageError(
                    .invalidCombination,
                    "neither XDG_CONFIG_HOME nor HOME is set",
                    hint: "name a folder with --config-dir")
            }
            return standard
        }
    }

    /// The destinations in the folder.
    package var destinations: Destinations { get throws(UsageError) { Destinations(try folder) } }
}
