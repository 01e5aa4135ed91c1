public import SystemIO

/// An entry of a damaged container, or a part that does not belong to any entry.
public struct SalvagedEntry: Sendable, Equatable {
    /// Its name; nil if it is lost.
    public let name: BytePath?
    /// Its range in the plaintext stream, up to the end of the stream; for an entry in a bundle, in the bundle's
    /// content.
    package let range: Range<Int>
    /// Its length, including the part beyond the end of a truncated file.
    public let length: Int
    /// SHA-256 of its bytes; nil without an index, and for an entry in a bundle.
    public let sha256: [UInt8]?
    /// The range of the bundle that contains it; nil for an entry in the payload.
    package var bundle: Range<Int>?

    /// Where it starts in the stream; for an entry in a bundle, in the bundle's content.
    public var offset: Int { range.lowerBound }
    /// Number of its bytes within the stream.
    public var size: Int { range.count }
}

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
        guard entries.count < ContainerSalvage.mostEntries else {
            // Nobody looks through more; what follows is saved as one piece.
            entries.append(
                SalvagedEntry(name: nil, range: first..<limit, length: limit - first, sha256: nil))
            return false
        }
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

extension BundleContent {
    /// Returns the members: those that the index lists, or else those that the tar headers name.
    ///
    /// - Parameters:
    ///   - place: The range of the bundle in the stream.
    ///   - members: What the index lists, nil without an index.
    /// - Returns: nil if there are none, if the content is too short for them, or if two have the same name, which no
    ///   writer produces.
    func salvagedMembers(
        of place: Range<Int>, listed members: ArraySlice<ContainerEntry>?
    ) throws(ContainerError) -> [SalvagedEntry]? {
        var found: [SalvagedEntry] = []
        if let members {
            guard members.allSatisfy({ $0.range.upperBound <= bytes.count }) else { return nil }
            found = members.map { member in
                SalvagedEntry(
                    name: member.name, range: member.range, length: member.length, sha256: nil, bundle: place)
            }
        } else {
            let walk = try TarWalk(length: bytes.count) { range throws(ContainerError) in
                ([UInt8](bytes[range]), [])
            }
            found = walk.entries.map { entry in
                var entry = entry
                entry.bundle = place
                return entry
            }
        }
        guard !found.isEmpty, Set(found.map(\.name)).count == found.count else { return nil }
        return found
    }
}
