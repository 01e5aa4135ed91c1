/// Finds the members of a tar stream with holes, without an index.
///
/// After a lost header it continues at the next block that is a header with a correct checksum; what lies between
/// belongs to no member.
package struct TarWalk {
    package private(set) var entries: [SalvagedEntry] = []
    private var gap: Int?
    /// Whether any block of the gap could be read.
    private var gapHasBytes = false
    /// The records of the pax header before a member.
    private var pax = PaxRecords()

    /// Walks through a stream to its end, or to the two blocks of zeroes that end a tar stream.
    ///
    /// - Parameters:
    ///   - length: The stream's length.
    ///   - read: Returns a part of the stream, and the ranges of it that are lost.
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
                size = appendMember(header, at: start, limit: length)
            }
            // After the end of a truncated file there is nothing to find.
            guard size <= length - start else { return }
            position = start + size + TarHeader.padding(after: size)
        }
        endGap(at: min(position, length), limit: length - block)
    }

    /// Adds a member to the entries.
    ///
    /// - Returns: Its length, which may come from the pax header before it.
    private mutating func appendMember(_ header: TarHeader, at start: Int, limit: Int) -> Int {
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
        // What followed the end of a truncated file is unknown.
        if let gap, gap < position, gapHasBytes || position < limit {
            entries.append(
                SalvagedEntry(name: nil, range: gap..<position, length: position - gap, sha256: nil))
        }
        gap = nil
        gapHasBytes = false
    }
}
