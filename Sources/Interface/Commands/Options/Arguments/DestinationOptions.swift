package import CommandLineKit
import HealthVault
package import SystemIO

/// The options of an export to a destination.
package struct DestinationOptions: Sendable {
    package var name: String?
    package var incremental = false
    package var mirror = false
    package var keep: Int?
    package var configuration = ConfigurationOption()

    package init() {}

    package static let elements: [GrammarElement<DestinationOptions>] = [
        .option(
            \.name, "to", value: "NAME", "export to a destination, see 'healthvault help destination'",
            as: .destination),
        .flag(
            \.incremental, "incremental",
            "write only what the newest archive at the destination lacks"),
        .flag(\.mirror, "mirror", "with --incremental: drop samples that the phone no longer has"),
        .option(
            \.keep, "keep", value: "N", "afterwards remove all but the newest N verified full exports",
            as: .integer(in: 1...1_000_000)),
        .including(\.configuration, ConfigurationOption.elements),
    ]

    /// Checks that the options can be combined with an explicit target and the choice of encryption.
    package func validate(output: BytePath?, isEncrypted: Bool) throws(UsageError) {
        if name != nil, output != nil {
            throw UsageError(
                .invalidCombination, "--to and -o exclude each other", hint: "leave out one of the two")
        }
        if incremental, name == nil || !isEncrypted {
            throw UsageError(
                .invalidCombination, "--incremental works only for encrypted archives at a destination",
                hint: "add --encrypt and --to NAME")
        }
        if mirror, !incremental {
            throw UsageError(.invalidCombination, "--mirror works only with --incremental")
        }
        if keep != nil, name == nil {
            throw UsageError(
                .invalidCombination, "--keep works only with a destination",
                hint: "name one with --to")
        }
    }
}
