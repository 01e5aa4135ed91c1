import ByteSpans

/// A stream of in-memory bytes in pieces of a given size, for testing readers with generated documents.
package final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let piece: Int
    private var offset = 0

    /// Makes a stream that returns at most `piece` bytes at a time.
    package init(_ bytes: [UInt8], piece: Int = 1 << 20) {
        self.bytes = bytes
        self.piece = piece
    }

    /// Always 0, because nothing compares the checksum of in-memory bytes.
    package var crc32: UInt32 { 0 }

    package func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        let count = min(range.count, piece, bytes.count - offset)
        let bytes = bytes
        target.copy(bytes.span.extracting(offset..<(offset + count)), to: range.lowerBound)
        offset += count
        return count
    }
}
