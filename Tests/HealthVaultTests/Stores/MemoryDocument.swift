import AppleHealthExport

/// A document made on the spot.
final class MemoryDocument: ByteStream {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var crc32: UInt32 { 0 }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        let count = min(rest.count, range.count)
        for index in 0..<count { target[range.lowerBound + index] = rest[rest.startIndex + index] }
        rest = rest.dropFirst(count)
        return count
    }
}
