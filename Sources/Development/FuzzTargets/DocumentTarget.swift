import AppleHealthExport
import ByteText
import Glibc
import HealthFormats
import SampleBatches
import SystemIO

/// The fuzz targets for Apple's document, and for the zip around it.
enum DocumentTarget: Sendable {
    /// Checks that a document gives the same rows, or the same error, however it is read.
    @Sendable static func scan(_ input: [UInt8]) {
        let plain = rows(of: input, piece: 1 << 20, windowSize: 1 << 18, usesTemplates: false)
        let fast = rows(of: input, piece: 1 << 20, windowSize: 1 << 18, usesTemplates: true)
        if plain != fast { violated("templates change nothing") }
        if rows(of: input, piece: 61, windowSize: 1 << 15, usesTemplates: true) != fast {
            violated("the window's size changes nothing")
        }
    }

    private static func rows(of input: [UInt8], piece: Int, windowSize: Int, usesTemplates: Bool) -> [UInt8] {
        var reader = DocumentReader(
            MemoryStream(input, piece: piece), name: "document", windowSize: windowSize,
            usesTemplates: usesTemplates)
        var sink = LineSink()
        do { while try reader.advance(into: &sink) {} } catch {
            sink.lines += Array("\(error.code) at \(error.offset ?? -1)".utf8)
        }
        return sink.lines
    }

    /// Checks that the members of a zip end, whatever sizes it declares.
    @Sendable static func zip(_ input: [UInt8]) {
        let path: BytePath = "/dev/shm/healthvault-fuzz-\(Int(getpid())).zip"
        do {
            try? OpenFolder(holding: path).removeFile(path.name)
            let file = try FileDescriptor(opening: path, .create)
            try file.write(input.span)
            let source = try ExportSource(opening: path)
            var reader = DocumentReader(try source.openDocument(), name: source.documentName)
            var sink = CountingSink()
            while try reader.advance(into: &sink) {}
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            for file in source.sideFiles {
                let stream = try source.open(file)
                var span = buffer.mutableSpan
                var count = 0
                // Deflate expands a byte to at most 1032.
                while count <= input.count * 1040 + 100 {
                    let read = try stream.read(into: &span, 0..<span.count)
                    if read == 0 { break }
                    count += read
                }
                if count > input.count * 1040 + 100 { violated("a member ends") }
            }
        } catch {}
    }
}

/// A sink that writes each row as a line.
private struct LineSink: RowSink {
    var lines: [UInt8] = []
    private var writer = NDJSONWriter()

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        let key = SampleBatch.Key(element: kind.element, type: kind.type, span: "all", part: 1)
        var builder = SampleBatchBuilder(key: key)
        let context = builder.number(of: kind.context)
        let inside = content.map { builder.number(ofContent: $0.json) } ?? 0
        builder.append(
            RowHead(context: context, content: inside, position: position), start: start, cells: cells,
            text: text)
        writer.write(builder.batch, to: &lines)
    }
}

private struct CountingSink: RowSink {
    var count = 0

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        count += 1
    }
}
