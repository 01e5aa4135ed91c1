public import AppleHealthExport

/// The main document of a generated export as it is read: made on the way, and never all of it in memory.
public final class GeneratedDocument: ByteStream {
    private var document: DocumentGenerator
    private var stream = XMLStream()
    /// What was made and not read yet.
    private var pending: ArraySlice<UInt8> = []

    /// The document of an export, from its start.
    public init(_ export: GeneratedExport) { document = DocumentGenerator(export.context) }

    /// 0: nobody has written down what it should be.
    public var crc32: UInt32 { 0 }

    /// Makes as much as is read.
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
