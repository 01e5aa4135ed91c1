package import CommandLineKit
package import HealthModel
import HealthVault
import SampleBatches

/// The option `--types` of commands that read a store.
package struct ChosenTypes: Sendable {
    package var names: [SampleTypeName]?

    package init() {}

    package static let elements: [GrammarElement<ChosenTypes>] = [
        .option(
            \.names, "types", value: "A,B", "only samples of these types",
            as: SampleSelectionOptions.types)
    ]

    /// Returns the chosen types; nil for all.
    ///
    /// - Throws: `VaultError` for a name that neither this program nor a store knows.
    package func types(in stores: [any HealthStore]) async throws -> [AnySampleType]? {
        guard let names else { return nil }
        var held: Set<ExactName> = []
        let needsStore = names.contains { if case .other = $0 { true } else { false } }
        for store in stores where needsStore {
            held.formUnion(try await store.contents().types.map { ExactName($0.type.identifier) })
        }
        var chosen: [AnySampleType] = []
        for name in names {
            guard let identifiers = name.identifiers(among: held) else {
                if case .other(let text) = name { throw VaultError(.unknownType(text)) }
                continue
            }
            for type in identifiers.map({ AnySampleType($0) }) where !chosen.contains(type) {
                chosen.append(type)
            }
        }
        return chosen
    }
}
