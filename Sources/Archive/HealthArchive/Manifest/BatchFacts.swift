package import ByteText
import HealthModel
package import SampleBatches

/// The facts about a batch that are known once it is encoded.
package struct BatchFacts: Sendable {
    package let key: SampleBatch.Key
    /// Whether only earlier exports had its samples.
    package let isGone: Bool
    package let first: Timestamp?
    package let last: Timestamp?
    package let firstPosition: Int
    package let lastPosition: Int
    package let identity: IdentitySum
    let census: [ExactName: Int]
    let sources: Set<ExactName>
    let zones: RecordedZones

    package init(_ batch: ColumnBatch) throws {
        key = batch.key
        isGone = batch.isGone
        first = batch.first
        last = batch.last
        firstPosition = batch.firstPosition
        lastPosition = batch.lastPosition
        identity = batch.identity
        census = try batch.census()
        sources = Self.sources(of: batch.contexts)
        zones = batch.recordedZones()
    }

    package init(_ batch: SampleBatch) throws {
        key = batch.key
        isGone = batch.isGone
        first = batch.first
        last = batch.last
        firstPosition = batch.firstPosition
        lastPosition = batch.lastPosition
        identity = batch.identitySum()
        census = try batch.census()
        sources = Self.sources(of: batch.contexts)
        zones = batch.recordedZones()
    }

    private static func sources(of contexts: [BatchContext]) -> Set<ExactName> {
        var sources: Set<ExactName> = []
        addSources(of: contexts, to: &sources)
        return sources
    }

    /// Adds the names of the sources in contexts.
    package static func addSources(of contexts: some Sequence<BatchContext>, to sources: inout Set<ExactName>)
    {
        for context in contexts {
            guard
                let token = context.constant("sourceName")
                    ?? context.constant(AttributeKind.sourceNameOfIOS8)
            else { continue }
            sources.insert(ExactName(String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)))
        }
    }
}
