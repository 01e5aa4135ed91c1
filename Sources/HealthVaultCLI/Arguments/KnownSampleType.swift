import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches

/// The argument TYPE: one sample type, known to this program or only to the source.
enum KnownSampleType {
    /// Parses the name of a type.
    static let parser = ValueParser<SampleTypeName>(
        expected: "a sample type such as heartRate",
        completion: .choice(AnySampleType.known.map(\.shortName) + ["activitySummary"])
    ) { text in
        guard let name = SampleTypeName(parsing: text) else { return nil }
        if case .group = name { return nil }
        return name
    }

    /// Returns the type that a name stands for.
    ///
    /// - Throws: `VaultError` for a name that neither this program nor the source knows.
    static func type(_ name: SampleTypeName, in store: any HealthStore) async throws -> AnySampleType {
        if case .type(let type) = name { return type }
        let held = try await store.contents().types.map { ExactName($0.type.identifier) }
        guard let identifier = name.identifiers(among: Set(held))?.first else {
            guard case .other(let text) = name else { throw VaultError(.unknownType("")) }
            throw VaultError(.unknownType(text))
        }
        return AnySampleType(identifier)
    }
}
