import SystemIO
import VaultCrypto

/// What an interrupted run left of a container, as far as it is authentic and complete.
///
/// No journal says so: the segments themselves do. Each that was finished authenticates as one that is not the last,
/// behind the one before; the headers of the tar stream inside say where the members end.
struct UnfinishedContainer: ~Copyable {
    /// A member that is whole.
    struct Member: Sendable, Equatable {
        let name: String
        let offset: Int
        let length: Int
        let sha256: [UInt8]
    }

    let file: FileDescriptor
    let key: VaultKey
    let header: SealedHeader
    /// The salts of the segments that stay as they are.
    let salts: [[UInt8]]
    let members: [Member]
    /// The plaintext between the last of these segments and the end of the last whole member.
    let tail: [UInt8]

    /// Opens an unfinished container, alone.
    ///
    /// - Throws: `incomplete` where nothing of it can be used: it has no header yet, or no whole segment;
    ///   `segmentDamaged` where a segment does not authenticate and a later one does, which is damage and no
    ///   interruption; `io` with `isLocked` where another process is writing it.
    init(
        opening path: String, passphrase: borrowing Passphrase, derivations: KeyDerivations
    ) throws(ContainerError) {
        let file = try reading { () throws(SystemError) in
            let file = try FileDescriptor(opening: path, .update)
            try file.lock(exclusively: true)
            return file
        }
        let size = try reading { () throws(SystemError) in try file.status().size }
        let bytes = try reading { () throws(SystemError) in
            try file.bytes(at: 0, count: ContainerFormat.headerSize)
        }
        let opened = try HeaderCopies(file, size: min(size, ContainerFormat.headerSize))
            .unlock(passphrase, derivations)
        let key = opened[0].key
        let segments = SegmentReader(key: key, end: size, salts: [])
        let whole = try Self.wholeSegments(segments, file, size: size)
        guard whole > 0 else { throw ContainerError(.incomplete) }
        var stream = SegmentStream(segments)
        let (members, end) = try Self.members(&stream, file, length: whole * key.geometry.plaintext)
        let kept = end / key.geometry.plaintext
        var tail: [UInt8] = []
        try stream.read(kept * key.geometry.plaintext..<end, file, into: &tail)
        var salts: [[UInt8]] = []
        for index in 0..<kept { salts.append(try segments.salt(ofSegment: index, file)) }
        self.file = file
        self.key = key
        header = SealedHeader(bytes: bytes)
        self.salts = salts
        self.members = members
        self.tail = tail
    }

    /// The open file.
    consuming func takeFile() -> FileDescriptor { file }

    /// How many segments from the first on are whole, all of their chunks included.
    private static func wholeSegments(
        _ segments: SegmentReader, _ file: borrowing FileDescriptor, size: Int
    ) throws(ContainerError) -> Int {
        let geometry = segments.key.geometry
        var index = 0
        while geometry.offset(ofSegment: index) + geometry.full <= size, try isWhole(index, segments, file) {
            index += 1
        }
        var later = index + 1
        while geometry.offset(ofSegment: later) + geometry.full <= size {
            let context = try notLast(later, segments, file)
            guard try !segments.commitmentMatches(segment: later, context, file) else {
                throw ContainerError(.segmentDamaged(segment: index))
            }
            later += 1
        }
        return index
    }

    private static func notLast(
        _ index: Int, _ segments: SegmentReader, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> SegmentContext {
        SegmentContext(
            preamble: segments.key.preamble, index: index, isFinal: false,
            previousSalt: try segments.salt(ofSegment: index - 1, file))
    }

    private static func isWhole(
        _ index: Int, _ segments: SegmentReader, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> Bool {
        let context = try notLast(index, segments, file)
        let size = segments.key.geometry.full
        guard var opener = try SegmentOpener(key: segments.key, file: file, context: context, fileSize: size)
        else { return false }
        var plaintext: [UInt8] = []
        do { try opener.open(chunks: 0..<opener.chunkCount, of: file, into: &plaintext) } catch {
            if case .chunkDamaged = error.code { return false }
            throw error
        }
        return true
    }

    /// The members that are whole, and where the last of them ends, its padding included.
    private static func members(
        _ stream: inout SegmentStream, _ file: borrowing FileDescriptor, length: Int
    ) throws(ContainerError) -> ([Member], end: Int) {
        let block = TarHeader.blockSize
        var members: [Member] = []
        var end = 0
        var position = 0
        var pax = PaxRecords()
        while position + block <= length {
            var bytes: [UInt8] = []
            try stream.read(position..<(position + block), file, into: &bytes)
            guard let header = TarHeader(bytes) else { break }
            let start = position + block
            let size = pax.size ?? header.size
            let next = start + size + TarHeader.padding(after: size)
            guard size <= length - start, next <= length else { break }
            if bytes[156] == UInt8(ascii: "x") {
                var records: [UInt8] = []
                try stream.read(start..<(start + header.size), file, into: &records)
                pax = PaxRecords(records)
            } else {
                let digest = try stream.digest(start..<(start + size), file)
                members.append(
                    Member(name: pax.path ?? header.name, offset: start, length: size, sha256: digest))
                pax = PaxRecords()
                end = next
            }
            position = next
        }
        return (members, end)
    }
}

/// Reads the stream of segments none of which is the last, one segment after the other.
private struct SegmentStream {
    private let segments: SegmentReader
    private var recent: (index: Int, plaintext: [UInt8])?

    init(_ segments: SegmentReader) { self.segments = segments }

    mutating func read(
        _ range: Range<Int>, _ file: borrowing FileDescriptor, into output: inout [UInt8]
    ) throws(ContainerError) {
        let size = segments.key.geometry.plaintext
        var position = range.lowerBound
        while position < range.upperBound {
            let index = position / size
            if recent?.index != index { try load(index, file) }
            let end = min(range.upperBound, (index + 1) * size)
            if let plaintext = recent?.plaintext {
                output += plaintext[(position - index * size)..<(end - index * size)]
            }
            position = end
        }
    }

    mutating func digest(
        _ range: Range<Int>, _ file: borrowing FileDescriptor
    ) throws(ContainerError) -> [UInt8] {
        var hash = try crypto { () throws(CryptoError) in try SHA256() }
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(position + (1 << 20), range.upperBound)
            var piece: [UInt8] = []
            try read(position..<end, file, into: &piece)
            hash.update(piece.span)
            position = end
        }
        return hash.finish()
    }

    private mutating func load(_ index: Int, _ file: borrowing FileDescriptor) throws(ContainerError) {
        let context = SegmentContext(
            preamble: segments.key.preamble, index: index, isFinal: false,
            previousSalt: try segments.salt(ofSegment: index - 1, file))
        guard
            var opener = try SegmentOpener(
                key: segments.key, file: file, context: context, fileSize: segments.key.geometry.full)
        else { throw ContainerError(.segmentDamaged(segment: index)) }
        var plaintext: [UInt8] = []
        try opener.open(chunks: 0..<opener.chunkCount, of: file, into: &plaintext)
        recent = (index, plaintext)
    }
}
