public import AppleHealthExport

/// The main document of a generated export as a stream, generated while it is read and never entirely in memory.
public final class GeneratedDocument: ByteStream {
    private var document: DocumentGenerator
    private var stream = XMLStream()
    /// Bytes that have been generated but not read yet.
    private var pending: ArraySlice<UInt8> = []

    /// Creates a stream of the document of an export, from its start.
    public init(_ export: GeneratedExport) { document = DocumentGenerator(export.context) }

    /// 0, because no checksum is recorded.
    public var crc32: UInt32 { 0 }

    /// Reads into a range of `target`, generating more text when needed.
    public func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        while pending.isEmpty {
            guard document.appendNext(to: &stream) else { break }
            stream.drain { (bytes: borrowing Span<UInt8>) in
                pending =
                    [UInt8](capacity: bytes.count) { (output: inout OutputSpan<UInt8>) in
                        for index in bytes.indices { output.append(bytes[index]) }
                    }[...]
            }
        }
        let count = min(pending.count, range.count)
        for index in 0..<count { target[range.lowerBound + index] = pending[pending.startIndex + index] }
        pending = pending.dropFirst(count)
        return count
    }
}

@available(*, unavailable)
extension GeneratedDocument: Sendable {}
