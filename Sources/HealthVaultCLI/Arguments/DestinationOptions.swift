import CommandLineKit
import HealthVault
import SystemIO

/// The options of an export to a destination.
struct DestinationOptions: Sendable {
    var name: String?
    var incremental = false
    var mirror = false
    var keep: Int?
    var configuration = ConfigurationOption()

    static let elements: [GrammarElement<DestinationOptions>] = [
        .option(
            \.name, "to", value: "NAME", "export to a destination, see 'healthvault destination'", as: .text),
        .flag(
            \.incremental, "incremental",
            "write only what the newest archive at the destination does not have"),
        .flag(\.mirror, "mirror", "drop samples that the export no longer has, instead of keeping them"),
        .option(
            \.keep, "keep", value: "N", "afterwards remove all but the newest N verified full exports",
            as: .integer(in: 1...1_000_000)),
        .including(\.configuration, ConfigurationOption.elements),
    ]

    /// Checks the options against those for a target that is named.
    func validate(output: BytePath?, isEncrypted: Bool) throws(UsageError) {
        if name != nil, output != nil {
            throw UsageError(
                .invalidCombination, "--to and -o both name a target", hint: "leave out one of the two")
        }
        if incremental, name == nil || !isEncrypted {
            throw UsageError(
                .invalidCombination, "--incremental continues encrypted archives at a destination",
                hint: "add --encrypt and --to NAME")
        }
        if mirror, !incremental {
            throw UsageError(.invalidCombination, "--mirror goes with --incremental only")
        }
        if keep != nil, name == nil {
            throw UsageError(
                .invalidCombination, "--keep removes older exports from a destination",
                hint: "name one with --to")
        }
    }
}
