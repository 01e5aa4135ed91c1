import ByteText
import HealthArchive
import SampleBatches
import SystemIO

/// How the rows of all batches get into the order of their document.
enum DocumentOrder {
    /// One range of positions after the other, with the rows in it from each batch that may have some.
    case windows([Window])
    /// All rows at once, because each window would have rows of nearly all batches, each of which would be decoded for
    /// each window: the batches to decode, and the positions of all their rows but the root element.
    case interleaved([StoredExport.Batch], ClosedRange<Int>)

    /// The rows of some batches at a range of positions.
    struct Window: Sendable {
        let positions: Range<Int>
        let batches: [SampleBatch.Key]
        /// Whether to sort the rows by start before position.
        var isByTime = false
    }

    /// The number of positions in a window, about 2 MB of XML.
    private static let windowSize = 1 << 12
    /// The maximum number of windows: enough for 2^31 elements, ten times as many as in the largest exports.
    private static let mostWindows = 1 << 19
    /// How often the stored bytes may be decoded before sorting all rows takes less time.
    private static let mostDecodings = 6
    /// The number of positions for each row from which sorting all rows would put too many into each of its parts.
    private static let sparsest = 16

    /// Chooses the order in which the rows of batches are read.
    ///
    /// The samples of several exports have no common order: they are written by type, start and position, one span at a
    /// time.
    ///
    /// - Throws: `manifestMismatch` if wrong positions lead to more windows than any document has.
    init(_ export: StoredExport, _ batches: [StoredExport.Batch]) throws {
        let batches = Self.needed(batches, export)
        guard export.manifest.exports == 1 else {
            self = .windows(Self.spans(of: batches))
            return
        }
        let extents = try Self.extents(of: batches, export)
        // The root element has the position 0.
        let start = max(1, extents.first?.positions.lowerBound ?? 1)
        let end = max(start, extents.map(\.positions.upperBound).max() ?? start)
        let isDense = (end - start) / Self.sparsest < export.manifest.spans.total(\.identity.count)
        if let windows = try Self.windows(extents, mayGiveUp: isDense, export) {
            DebugLog.log("writing the document in \(windows.count) windows")
            self = .windows(windows)
        } else {
            DebugLog.log("writing the document out of interleaved batches")
            self = .interleaved(batches, start...end)
        }
    }

    /// Returns the batches with rows in the document, including its required `ExportDate`.
    private static func needed(
        _ batches: [StoredExport.Batch], _ export: StoredExport
    ) -> [StoredExport.Batch] {
        let known = Set(batches.map(\.key))
        let always = export.groups.filter { $0.element == "ExportDate" }.flatMap(\.batches)
        return always.filter { !known.contains($0.key) } + batches
    }

    /// Returns a window for each span, ordered by type and span.
    private static func spans(of batches: [StoredExport.Batch]) -> [Window] {
        let about = ["ExportDate", "Me"]
        let ordered =
            about.flatMap { name in batches.filter { $0.key.element == name } }
            + batches.filter { !about.contains($0.key.element) }
        var spans: [(key: SampleBatch.Key, parts: [SampleBatch.Key])] = []
        for batch in ordered {
            if spans.last?.key != batch.key.ofSpan { spans.append((batch.key.ofSpan, [])) }
            spans[spans.count - 1].parts.append(batch.key)
        }
        // The root element has the position 0.
        return spans.map {
            Window(positions: 1..<SampleBatch.positionLimit, batches: $0.parts, isByTime: true)
        }
    }

    /// A batch, the positions of its first and last rows, and its stored length.
    private struct Extent {
        let key: SampleBatch.Key
        let positions: ClosedRange<Int>
        let length: Int
    }

    /// Returns the batches with their positions, ordered by first row.
    private static func extents(
        of batches: [StoredExport.Batch], _ export: StoredExport
    ) throws -> [Extent] {
        var cursor = ChainCursor()
        return
            try batches.map { batch in
                let (key, length) = (batch.key, export.contents.length(of: batch.key))
                if let positions = export.contents.positions(of: key) {
                    return Extent(key: key, positions: positions, length: length)
                }
                let samples = try export.samples(of: key, &cursor)
                return Extent(
                    key: key,
                    positions: ClosedRange(between: samples.firstPosition, and: samples.lastPosition),
                    length: length)
            }
            .sorted { $0.positions.lowerBound < $1.positions.lowerBound }
    }

    /// Divides the positions into windows, each with the batches that may have rows in it.
    ///
    /// - Parameter mayGiveUp: Whether to stop once sorting all rows takes less time.
    /// - Returns: nil if it would.
    private static func windows(
        _ extents: [Extent], mayGiveUp: Bool, _ export: StoredExport
    ) throws(VaultError) -> [Window]? {
        var windows: [Window] = []
        let stored = extents.total(\.length)
        var decoded = 0
        var active: [Extent] = []
        var next = 0
        // The root element has the position 0.
        var start = 1
        while next < extents.count || !active.isEmpty {
            if active.isEmpty { start = max(start, extents[next].positions.lowerBound) }
            guard windows.count < mostWindows, start < SampleBatch.positionLimit else {
                throw VaultError(.manifestMismatch, path: export.path)
            }
            let end = start + windowSize
            while next < extents.count, extents[next].positions.lowerBound < end {
                active.append(extents[next])
                next += 1
            }
            windows.append(Window(positions: start..<end, batches: active.map(\.key)))
            decoded = LengthSum.of(decoded, active.total(\.length))
            if mayGiveUp, decoded / Self.mostDecodings > stored { return nil }
            active.removeAll { $0.positions.upperBound < end }
            start = end
        }
        return windows
    }
}
