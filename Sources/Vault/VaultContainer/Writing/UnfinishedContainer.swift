public import SystemIO
import VaultCrypto

/// The part of a container that an interrupted run left and the next run can keep.
public struct UnfinishedContents: Sendable, Equatable {
    /// The names of the complete members, in order.
    public let members: [BytePath]
    /// Bytes of the payload that they occupy.
    public let size: Int

    /// Authenticates what is left, without changing anything.
    ///
    /// - Throws: `incomplete` if none of it can be used; `wrongPassphrase`; `notInKeyRing`; `segmentDamaged` if it is damaged and not
    ///   only unfinished; `io` with `isLocked` if another process is writing it.
    public init(of path: BytePath, key: ArchiveKey) throws(ContainerError) {
        // The run may have crashed just before the final rename.
        if let whole = try? ContainerReader(opening: path, key: key) {
            members = whole.entries.map(\.name)
            size = whole.footer.payloadLength
            return
        }
        let found = try UnfinishedContainer(try lockedFile(path, forUpdate: false)) {
            copies throws(ContainerError) in try copies.unlock(key)
        }
        members = found.members.map(\.name)
        size = found.salts.count * found.key.geometry.plaintext + found.tail.count
    }
}

/// The authentic and complete part of a container that an interrupted run left.
///
/// There is no journal; the segments themselves are the record. Each finished segment authenticates as a non-final
/// one that follows the one before, and the headers of the tar stream inside show where the members end.
struct UnfinishedContainer: ~Copyable {
    /// A complete member.
    struct Member: Sendable, Equatable {
        let name: BytePath
        let offset: Int
        let length: Int
        let sha256: [UInt8]
    }

    let file: VolumeFile
    let key: ContainerKey
    let header: SealedHeader
    /// The salts of the kept segments.
    let salts: [[UInt8]]
    let members: [Member]
    /// The plaintext between the last of these segments and the end of the last complete member.
    let tail: [UInt8]

    /// Opens an unfinished container, which the caller has locked.
    ///
    /// - Throws: `incomplete` if none of it can be used: it has no header yet, or no whole segment; `segmentDamaged`
    ///   if a segment that was flushed long before does not authenticate, which is damage and not an interruption.
    init(
        _ file: VolumeFile,
        unlock: (HeaderCopies) throws(ContainerError) -> [(key: ContainerKey, header: Header)]
    ) throws(ContainerError) {
        let size = try reading { () throws(SystemError) in try file.size() }
        let bytes = try reading { () throws(SystemError) in
            try file.bytes(at: 0, count: ContainerFormat.headerSize)
        }
        if Self.isHalfWritten(bytes) { throw ContainerError(.incomplete) }
        let opened = try unlock(try HeaderCopies(file, size: min(size, ContainerFormat.headerSize)))
        let key = opened[0].key
        let segments = UnfinishedSegments(SegmentReader(key: key, end: size, salts: []))
        let whole = try segments.wholeCount(file)
        guard whole > 0 else { throw ContainerError(.incomplete) }
        var stream = SegmentStream(segments)
        let (members, end) = try Self.members(&stream, file, length: whole * key.geometry.plaintext)
        let kept = end / key.geometry.plaintext
        var tail: [UInt8] = []
        try stream.read(kept * key.geometry.plaintext..<end, file, into: &tail)
        var salts: [[UInt8]] = []
        for index in 0..<kept { salts.append(try segments.reader.salt(ofSegment: index, file)) }
        self.file = file
        self.key = key
        header = SealedHeader(bytes: bytes)
        self.salts = salts
        self.members = members
        self.tail = tail
    }

    /// Returns whether a power failure has torn the header while it was written: a part of it that is random is zeros.
    ///
    /// FAT grows a file before its data is on the drive, and a drive may write the sectors in any order.
    private static func isHalfWritten(_ header: [UInt8]) -> Bool {
        let sector = 512
        let firstSlot = ContainerFormat.slots.prefix(ContainerFormat.slotSize)
        let random = [firstSlot, ContainerFormat.labels, ContainerFormat.headerDigest]
        return stride(from: 0, to: header.count, by: sector).contains { start in
            random.contains { range in
                let part = range.clamped(to: start..<min(start + sector, header.count))
                return !part.isEmpty && header[part].allSatisfy { $0 == 0 }
            }
        }
    }

    /// Returns the open file.
    consuming func takeFile() -> VolumeFile { file }

    /// Returns the complete members, and where the last one ends, including its padding.
    private static func members(
        _ stream: inout SegmentStream, _ file: VolumeFile, length: Int
    ) throws(ContainerError) -> ([Member], end: Int) {
        var members: [Member] = []
        var end = 0
        var cursor = TarCursor(length: length)
        while case .member(let member) = try cursor.step({ range throws(ContainerError) in
            var bytes: [UInt8] = []
            try stream.read(range, file, into: &bytes)
            return bytes
        }) {
            let digest = try stream.digest(member.start..<(member.start + member.size), file)
            members.append(
                Member(name: member.name, offset: member.start, length: member.size, sha256: digest))
            end = cursor.position
        }
        return (members, end)
    }
}
