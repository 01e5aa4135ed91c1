/// Finds the members of a tar stream with holes, where there is no index.
///
/// After a lost header it goes on at the next block that is a header with a right checksum; what stands between is
/// nobody's.
package struct TarWalk {
    package private(set) var entries: [SalvagedEntry] = []
    private var gap: Int?
    /// Something of the gap is left.
    private var gapHasBytes = false
    /// From the pax header before a member.
    private var pax = PaxRecords()

    /// Walks through a stream of that length to its end, or to the two blocks of zeroes that end a tar stream.
    ///
    /// - Parameters:
    ///   - length: The stream's length.
    ///   - read: Gives a part of the stream, and what of it is lost.
    package init(
        length: Int, _ read: (Range<Int>) throws(ContainerError) -> (bytes: [UInt8], lost: [Range<Int>])
    ) throws(ContainerError) {
        let block = TarHeader.blockSize
        var position = 0
        while position + block <= length {
            let (bytes, lost) = try read(position..<(position + block))
            if lost.isEmpty, gap == nil, bytes.allSatisfy({ $0 == 0 }) { break }
            guard lost.isEmpty, let header = TarHeader(bytes)
            else {
                gap = gap ?? position
                if lost.isEmpty { gapHasBytes = true }
                position += block
                continue
            }
            let start = position + block
            endGap(at: position, limit: length)
            var size = header.size
            if bytes[156] == UInt8(ascii: "x") {
                let (records, lost) = try read(start..<(start + min(header.size, 1 << 16, length - start)))
                pax = lost.isEmpty ? PaxRecords(records) : PaxRecords()
            } else {
                size = take(header, at: start, limit: length)
            }
            // Behind the end of a file that was cut off there is nothing to be found.
            guard size <= length - start else { return }
            position = start + size + TarHeader.padding(after: size)
        }
        endGap(at: min(position, length), limit: length - block)
    }

    /// Takes note of a member.
    ///
    /// - Returns: Its length, which the pax header before it may have said.
    private mutating func take(_ header: TarHeader, at start: Int, limit: Int) -> Int {
        let name = pax.path ?? header.name
        let size = pax.size ?? header.size
        pax = PaxRecords()
        entries.append(
            SalvagedEntry(
                name: EntryName.isSafe(name) ? name : nil, range: start..<(start + min(size, limit - start)),
                length: size, sha256: nil))
        return size
    }

    private mutating func endGap(at position: Int, limit: Int) {
        // Behind the end of a file that was cut off nobody knows what there was.
        if let gap, gap < position, gapHasBytes || position < limit {
            entries.append(
                SalvagedEntry(name: nil, range: gap..<position, length: position - gap, sha256: nil))
        }
        gap = nil
        gapHasBytes = false
    }
}
