/// Finds the members of a tar stream with holes, without an index.
///
/// After a lost header it continues at the next block that is a header with a correct checksum; the bytes in between
/// do not belong to a member.
package struct TarWalk {
    package private(set) var entries: [SalvagedEntry] = []
    private var gap: Int?
    /// Whether any block of the gap could be read.
    private var gapHasBytes = false

    /// Walks through a stream to its end, or to the first block of zeroes outside a gap.
    ///
    /// - Parameters:
    ///   - length: The stream's length.
    ///   - read: Returns a part of the stream, and the ranges of it that are lost.
    package init(
        length: Int, _ read: (Range<Int>) throws(ContainerError) -> (bytes: [UInt8], lost: [Range<Int>])
    ) throws(ContainerError) {
        var cursor = TarCursor(length: length)
        while try advance(&cursor, limit: length, read) {}
    }

    /// Adds the member or gap at the cursor.
    ///
    /// - Returns: false at the end.
    private mutating func advance(
        _ cursor: inout TarCursor, limit: Int,
        _ read: (Range<Int>) throws(ContainerError) -> (bytes: [UInt8], lost: [Range<Int>])
    ) throws(ContainerError) -> Bool {
        let first = cursor.position
        let step = try cursor.step { range throws(ContainerError) in
            let (bytes, lost) = try read(range)
            return lost.isEmpty ? bytes : nil
        }
        switch step {
        case .member(let member):
            endGap(at: first, limit: limit)
            append(member, limit: limit)
            return true
        // After the end of a truncated file there is nothing to find.
        case .cutOff(let member):
            endGap(at: first, limit: limit)
            append(member, limit: limit)
            return false
        case .cutOffRecords:
            endGap(at: first, limit: limit)
            return false
        case .zeroes, .noHeader, .lost:
            if case .zeroes = step, gap == nil { return false }
            gap = gap ?? cursor.position
            if case .lost = step {} else { gapHasBytes = true }
            cursor.skipBlock()
            return true
        case .end:
            endGap(at: cursor.position, limit: limit - TarHeader.blockSize)
            return false
        }
    }

    private mutating func append(_ member: TarCursor.Member, limit: Int) {
        let range = member.start..<(member.start + min(member.size, limit - member.start))
        entries.append(
            SalvagedEntry(
                name: EntryName.isSafe(member.name) ? member.name : nil, range: range, length: member.size,
                sha256: nil))
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
