import ByteSpans

/// Bytes in memory that come in pieces of a given size, for readers that are tried on documents made on the spot.
package final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let piece: Int
    private var offset = 0

    /// Gives at most `piece` bytes at once.
    package init(_ bytes: [UInt8], piece: Int = 1 << 20) {
        self.bytes = bytes
        self.piece = piece
    }

    /// Nobody compares the checksum of what was in memory all the time.
    package var crc32: UInt32 { 0 }

    package func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        let count = min(range.count, piece, bytes.count - offset)
        let bytes = bytes
        target.copy(bytes.span.extracting(offset..<(offset + count)), to: range.lowerBound)
        offset += count
        return count
    }
}
