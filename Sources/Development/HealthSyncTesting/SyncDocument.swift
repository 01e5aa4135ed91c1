import ByteText
public import HealthModel
public import HealthQueries
public import HealthStoreTesting
import SampleBatches

/// A small export with a step count in each of some weeks, for tests of synchronisation.
public struct SyncDocument: Sendable {
    private let steps: Range<Int>
    private let copies: Int
    private let date: String
    private let type: AnySampleType

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - steps: The weeks since the start of 2024 that have a sample, and its value.
    ///   - copies: How often the first sample occurs.
    ///   - date: The day of the export.
    ///   - type: The type of the samples.
    public init(
        steps: Range<Int>, copies: Int = 1, date: String = "2024-06-01", type: AnySampleType = .stepCount
    ) {
        self.steps = steps
        self.copies = copies
        self.date = date
        self.type = type
    }

    /// The document as a store.
    public var store: InMemoryStore { store(knowingSums: false) }

    /// Returns the document as a store that may know the sums of its spans, as an archive does.
    public func store(knowingSums knowsSums: Bool) -> InMemoryStore {
        var text = "<HealthData locale=\"en_GB\">\n <ExportDate value=\"\(date) 00:00:00 +0000\"/>\n"
        for step in steps {
            let record = """
                 <Record type="\(type.identifier)" sourceName="Watch, \\ &quot;2&quot;&#9;tab" unit="count" \
                creationDate="\(Self.time(step + 1))" startDate="\(Self.time(step))" endDate="\(Self.time(step + 1))" \
                value="\(step)"><MetadataEntry key="k" value="\u{e9}\(step)"/></Record>

                """
            for _ in 0..<(step == steps.lowerBound ? copies : 1) { text += record }
        }
        return InMemoryStore(document: text + "</HealthData>\n", knowsSums: knowsSums)
    }

    private static func time(_ step: Int) -> String {
        var bytes: [UInt8] = []
        // Spread over several months, and so over several spans.
        Timestamp(seconds: 1_704_067_200 + step * 7 * 86400, offsetMinutes: 60).appendApple(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the samples of the document.
    public func samples() async throws -> [IdentifiedSample] {
        var samples: [IdentifiedSample] = []
        for try await span in store.spans(BatchQuery()) {
            samples += span.samples(missingIn: IdentityCounts())
        }
        return samples
    }
}
