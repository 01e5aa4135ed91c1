package import CommandLineKit
package import HealthModel
import HealthVault
import SampleBatches

/// The argument TYPE: one sample type, known to this program or only to the source.
package enum KnownSampleType {
    /// Parses the name of a type.
    package static let parser = ValueParser<SampleTypeName>(
        expected: "a sample type such as heartRate",
        completion: .choice(AnySampleType.known.map(\.shortName) + ["activitySummary"])
    ) { SampleTypeName(parsing: $0) }

    /// Returns the type with a name.
    ///
    /// - Throws: `VaultError` for a name that neither this program nor the source knows; `UsageError` for one that
    ///   stands for several types.
    package static func type(_ name: SampleTypeName, in store: any HealthStore) async throws -> AnySampleType
    {
        switch name {
        case .type(let type): return type
        case .group(let group):
            throw UsageError(
                .invalidValue, "group:\(group.rawValue) contains several types",
                hint: "choose one of \(group.types.map(\.shortName).joined(separator: ", "))")
        case .other(let text):
            let held = try await store.contents().types.map { ExactName($0.type.identifier) }
            let found = name.identifiers(among: Set(held)) ?? []
            guard let identifier = found.first else { throw VaultError(.unknownType(text)) }
            guard found.count == 1 else {
                throw UsageError(
                    .invalidValue, "'\(text)' is the short name of several types",
                    hint: "choose one of \(found.joined(separator: ", "))")
            }
            return AnySampleType(identifier)
        }
    }
}
