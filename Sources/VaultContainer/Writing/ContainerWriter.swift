import JSONText
public import SystemIO
public import VaultCrypto

/// Writes a container: entries one after the other, then the index, then both headers.
///
/// The file bears the name `NAME.part` until all of it is on the device and was read back.
public struct ContainerWriter: ~Copyable, Sendable {
    /// What an unfinished container's name ends with.
    public static let temporarySuffix: BytePath = ".part"

    /// What the finished container is called.
    public let path: BytePath

    /// What it is until it is finished.
    public let unfinished: UnfinishedFile
    private var segments: SegmentWriter
    /// The entries of the index as text: a hundred thousand of them are kept small.
    private var entries = JSONWriter()
    /// Earlier entries, in blocks, because one array would be copied whenever it grows.
    private var fullBlocks: [[UInt8]] = []
    private static let blockSize = 1 << 20
    private var names: Set<UInt128> = []
    private let tool: String
    private let created: String
    private let modified: Int
    private var hasHeader = false
    /// Members of an earlier run that are to come again, each with the bytes that it had.
    private var kept: ArraySlice<UnfinishedContainer.Member> = []

    /// Starts a container.
    ///
    /// - Parameters:
    ///   - path: The final name. Whether it may exist already is decided in `finish`.
    ///   - key: A new key.
    ///   - tool: Name and version of the program, for the index.
    ///   - created: The time of the run (RFC 3339), for the index.
    ///   - modified: The modification time of all members of the payload, in seconds since 1970.
    /// - Throws: `io`, with `isExisting` where another run left its temporary file, with `isLocked` where another process
    ///   is writing it.
    public init(
        path: BytePath, key: VaultKey, tool: String, created: String, modified: Int
    ) throws(ContainerError) {
        self.path = path
        let name = path.name + Self.temporarySuffix
        let preamble = key.preamble
        let folder = try reading { () throws(SystemError) in try OpenFolder(holding: path) }
        let file = try reading { () throws(SystemError) in
            let file = try folder.claim(name, .create)
            do throws(SystemError) {
                // So that whoever finds the file later can tell what it is.
                try file.write(preamble.span, at: 0)
            } catch {
                if let status = try? file.status() { try? folder.removeFile(name, being: status) }
                throw error
            }
            return file
        }
        let status = try reading { () throws(SystemError) in try file.status() }
        unfinished = UnfinishedFile(folder: folder, name: name, status: status)
        segments = SegmentWriter(key: key, file: file)
        self.tool = tool
        self.created = created
        self.modified = modified
    }

    /// Goes on with the container that an interrupted run left behind under its temporary name.
    ///
    /// The same entries are to be added again, in the same order: those that are there already are compared and not
    /// written.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - passphrase: The one that the interrupted run was given.
    ///   - tool: Name and version of the program, for the index.
    ///   - created: The time of the run, for the index.
    ///   - modified: The modification time of all members.
    ///   - firstEntry: The bytes of the first entry, which say what the container is to become; they must be the same.
    /// - Throws: `incomplete` where nothing of it can be used, `otherSession` where its first entry is another one.
    public init(
        resuming path: BytePath, passphrase: borrowing Passphrase, tool: String, created: String,
        modified: Int,
        firstEntry: Span<UInt8>
    ) throws(ContainerError) {
        try self.init(
            resuming: path, passphrase: passphrase, tool: tool, created: created, modified: modified,
            firstEntry: firstEntry, derivations: KeyDerivations())
    }

    /// The same with the keys that were derived from this passphrase before.
    package init(
        resuming path: BytePath, passphrase: borrowing Passphrase, tool: String, created: String,
        modified: Int,
        firstEntry: Span<UInt8>, derivations: KeyDerivations
    ) throws(ContainerError) {
        let folder = try reading { () throws(SystemError) in try OpenFolder(holding: path) }
        let name = path.name + Self.temporarySuffix
        let file = try reading { () throws(SystemError) in try folder.claim(name, .update) }
        let status = try reading { () throws(SystemError) in try file.status() }
        let found = try UnfinishedContainer(file, passphrase: passphrase, derivations: derivations)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: firstEntry) }
        guard let first = found.members.first else { throw ContainerError(.incomplete) }
        guard first.sha256 == digest else { throw ContainerError(.otherSession) }
        let (header, members) = (found.header, found.members)
        segments = try Self.segments(behind: found)
        self.path = path
        unfinished = UnfinishedFile(folder: folder, name: name, status: status)
        resumedHeader = header
        kept = members[...]
        keptBytes = segments.count
        hasHeader = true
        self.tool = tool
        self.created = created
        self.modified = modified
    }

    private static func segments(
        behind found: consuming UnfinishedContainer
    ) throws(ContainerError) -> SegmentWriter {
        let (key, salts, tail) = (found.key, found.salts, found.tail)
        return try SegmentWriter(key: key, file: found.takeFile(), salts: salts, tail: tail)
    }

    /// The header of the interrupted run, nil for a new container.
    public private(set) var resumedHeader: SealedHeader?

    /// Writes the header at the start.
    ///
    /// It may come after the first entries, because it takes a second to derive; until it is there, nothing
    /// in the file can be opened by anyone.
    public mutating func write(_ header: SealedHeader) throws(ContainerError) {
        try reading { () throws(SystemError) in try segments.file.write(header.bytes.span, at: 0) }
        try segments.sync()
        hasHeader = true
    }

    /// Bytes of the payload that an interrupted run left.
    public private(set) var keptBytes = 0

    /// Bytes of the payload so far.
    public var payloadSize: Int { segments.count }

    /// Adds an entry.
    ///
    /// - Throws: `invalidUse` for a name that would leave the folder it is extracted to, or that another entry has.
    public mutating func add(
        _ name: BytePath, _ data: Span<UInt8>, sha256: [UInt8]? = nil, properties: [ContainerProperty] = []
    ) throws(ContainerError) {
        guard EntryName.isSafe(name), try isNew(name), data.count <= ContainerFormat.largestEntry,
            properties.count <= ContainerFormat.mostProperties
        else {
            throw ContainerError(.invalidUse, entry: name)
        }
        let digest: [UInt8]
        if let sha256 {
            digest = sha256
        } else {
            digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: data) }
        }
        if let member = kept.popFirst() {
            guard member.name == name, member.length == data.count,
                member.sha256 == digest
            else { throw ContainerError(.otherSession, entry: name) }
            list(name, at: member.offset, data.count, digest, properties)
            return
        }
        try segments.append(TarHeader(name: name, size: data.count, modified: modified).bytes.span)
        list(name, at: segments.count, data.count, digest, properties)
        try segments.append(data)
        try segments.append([UInt8](repeating: 0, count: TarHeader.padding(after: data.count)).span)
    }

    /// Enters an entry into the index.
    private mutating func list(
        _ name: BytePath, at offset: Int, _ length: Int, _ digest: [UInt8], _ properties: [ContainerProperty]
    ) {
        let entry = ContainerEntry(
            name: name, offset: offset, length: length, sha256: digest, properties: properties)
        ContainerIndex.write(entry, &entries)
        guard entries.bytes.count >= Self.blockSize else { return }
        fullBlocks.append(entries.bytes + [UInt8(ascii: ",")])
        entries = JSONWriter()
    }

    private mutating func isNew(_ name: BytePath) throws(ContainerError) -> Bool {
        names.insert(try EntryName.fingerprint(name)).inserted
    }

    /// Brings what was written onto the device, and leaves it under its temporary name for ``init(resuming:)``.
    ///
    /// What does not fill a segment is lost.
    public consuming func suspend() throws(ContainerError) {
        try segments.sync()
        try segments.close()
    }

    /// Writes the end, reads the whole file back, and gives it its name.
    ///
    /// - Parameters:
    ///   - header: The header, again.
    ///   - replaced: An existing container that is replaced, now that the new one is known to be good; nil where there is
    ///     none. Anything else at its place is left alone.
    /// - Returns: The size of the file.
    /// - Throws: `io` with `isExisting` when the target exists and is not to be replaced, with `isReplaced` when it is not
    ///   what it was; `headerTampered` when `header`
    ///   is not the one at the start.
    public consuming func finish(
        _ header: SealedHeader, replacing replaced: FileStatus? = nil
    ) throws(ContainerError) -> Int {
        guard hasHeader else { throw ContainerError(.invalidUse) }
        guard kept.isEmpty else { throw ContainerError(.otherSession, entry: kept.first?.name) }
        let end = TarHeader.end
        try segments.append(end.span)
        let payload = segments.count
        let geometry = segments.key.geometry
        let last = payload / geometry.plaintext
        try segments.drawSalts(through: last)
        let salts = [[UInt8]](segments.salts[...last])
        names = []
        let frame = ContainerIndex.frame(tool: tool, created: created, salts: salts)
        var hash = try crypto { () throws(CryptoError) in try SHA256() }
        if entries.bytes.isEmpty, let last = fullBlocks.popLast() { fullBlocks.append(last.dropLast()) }
        for piece in [frame.before] + fullBlocks + [entries.bytes, frame.after] {
            hash.update(piece.span)
            try segments.append(piece.span)
        }
        fullBlocks = []
        let indexLength = segments.count - payload
        let total = Padding.total(payload: payload, index: indexLength, geometry: geometry)
        let footer = Footer(
            payloadLength: payload, indexLength: indexLength, totalLength: total, indexDigest: hash.finish())
        let zeroes = [UInt8](repeating: 0, count: 1 << 16)
        var rest = total - payload - indexLength - ContainerFormat.footerSize
        while rest > 0 {
            let part = min(rest, zeroes.count)
            try segments.append(zeroes.span.extracting(0..<part))
            rest -= part
        }
        try segments.append(footer.bytes.span)
        try segments.finish()
        let size = geometry.fileSize(ofStream: total)
        try reading { () throws(SystemError) in
            try segments.file.write(header.bytes.span, at: size - ContainerFormat.headerSize)
            try segments.file.sync()
            segments.file.dropCache()
        }
        // What the system took is not yet what the drive holds.
        for place in [0, size - ContainerFormat.headerSize] {
            let copy = try reading { () throws(SystemError) in
                try segments.file.bytes(at: place, count: ContainerFormat.headerSize)
            }
            guard copy == header.bytes else { throw ContainerError(.headerTampered) }
        }
        try SegmentReader(key: segments.key, end: size - ContainerFormat.headerSize, salts: salts)
            .authenticate(segments.file)
        // Still locked, so that no other process takes the file for one that was left behind.
        try reading { () throws(SystemError) in
            try unfinished.folder.rename(
                unfinished.name, being: unfinished.status, to: path.name, replacing: replaced)
        }
        return size
    }
}
