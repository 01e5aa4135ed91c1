import AppleHealthExport
import DataCompression
import HealthFormats
import SampleBatches
import SystemIO

/// The input of the stages: an export in its form after each of them.
final class Material {
    let source: ExportSource
    /// The main document.
    let document: [UInt8]
    private(set) var closed: [ClosedBatch] = []
    private(set) var batches: [SampleBatch] = []
    private(set) var columns: [[UInt8]] = []
    /// The positions where the columns of each batch end.
    private var columnEnds: [[Int]] = []
    /// Where the second frame of each batch begins.
    private var secondFrames: [Int?] = []
    private(set) var frames: [[UInt8]] = []
    private(set) var lines: [[UInt8]] = []
    /// The spans and the effort that a long document gets.
    private static let options = BatchOptions(span: .long)
    private static let effort = CompressionEffort.manyColumns
    /// The concatenated frames, in pieces of the size of a segment.
    private(set) var segments: [[UInt8]] = []

    /// Compresses the columns of a batch.
    func compress(_ number: Int, _ compressor: inout ZstandardCompressor) throws -> [UInt8] {
        let json = columns[number]
        return try compressor.compress(
            json.span, Self.effort, endingBlocksAt: columnEnds[number], secondFrameAt: secondFrames[number])
    }

    init(_ path: BytePath) throws {
        source = try ExportSource(opening: path)
        document = try Self.readAll(source)
        closed = try Self.collect(document)
        batches = try closed.map { try $0.columns.samples() }
        var writer = StoredBatchWriter()
        for batch in closed {
            columns.append(writer.write(batch.columns))
            columnEnds.append(writer.columnEnds)
            secondFrames.append(writer.secondFrame)
        }
        var compressor = try ZstandardCompressor()
        for number in columns.indices { frames.append(try compress(number, &compressor)) }
        let payload = Array(frames.joined())
        for start in stride(from: 0, to: payload.count, by: 1 << 20) {
            segments.append(Array(payload[start..<min(start + (1 << 20), payload.count)]))
        }
        var lineWriter = NDJSONWriter()
        for batch in batches {
            var text: [UInt8] = []
            lineWriter.write(batch, to: &text)
            lines.append(text)
        }
    }

    /// Returns the document, read or inflated.
    static func readAll(_ source: ExportSource) throws -> [UInt8] {
        let stream = try source.openDocument()
        var document: [UInt8] = []
        var window = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try read(stream, into: &window)
            if count == 0 { return document }
            document += window[..<count]
        }
    }

    /// Reads a piece of a stream into a window.
    static func read(_ stream: any ByteStream, into window: inout [UInt8]) throws -> Int {
        var span = window.mutableSpan
        return try stream.read(into: &span, 0..<span.count)
    }

    /// Returns the document's rows, sorted into batches.
    static func collect(_ document: [UInt8]) throws -> [ClosedBatch] {
        var collector = BatchCollector(options: options)
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.removeClosed() }
        repeat { closed += collector.removeClosed() } while collector.closeNext()
        return closed + collector.removeClosed()
    }

    /// The number of rows in all batches.
    var rowCount: Int { batches.reduce(0) { $0 + $1.count } }
}
