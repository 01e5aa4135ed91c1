public import SystemIO
public import VaultCrypto

/// Writes a container: the entries one after the other, then the index, between a header at the start and its copy
/// at the end.
///
/// The file is named `NAME.part` until all of it is on the device and has been read back.
public struct ContainerWriter: ~Copyable, Sendable {
    /// The path of the finished container.
    public let path: BytePath

    /// The file under its temporary name.
    public let unfinished: UnfinishedFile
    var segments: SegmentWriter
    var index: IndexText
    private var bundleCount = 0
    var names: Set<UInt128> = []
    private let modified: Int
    let volumes: VolumeRule
    private(set) var hasHeader = false
    /// Members of an earlier run that must be added again with the same bytes.
    private(set) var kept: ArraySlice<UnfinishedContainer.Member> = []

    /// Starts a container.
    ///
    /// - Parameters:
    ///   - path: The final path; `finish` decides whether it may already exist.
    ///   - key: A new key.
    ///   - tool: Name and version of the program, for the index.
    ///   - created: The time of the run (RFC 3339), for the index.
    ///   - modified: The modification time of all members of the payload, in seconds since 1970.
    ///   - volumes: How it is split into volumes; nil to split it only if the file system requires it.
    /// - Throws: `io`, with `isExisting` if another run left its temporary file, with `isLocked` if another process
    ///   is writing it.
    public init(
        path: BytePath, key: ContainerKey, tool: String, created: String, modified: Int,
        volumes: VolumeRule? = nil
    ) throws(ContainerError) {
        self.path = path
        index = IndexText(tool: tool, created: created)
        let name = path.name + ContainerFormat.temporarySuffix
        let preamble = key.preamble
        let folder = try reading { () throws(SystemError) in try OpenFolder(holding: path) }
        let rule = volumes ?? VolumeRule(for: folder)
        let file = try reading { () throws(SystemError) in
            let file = try folder.claimVolumes(
                name, .create, becoming: .container(path.name), limit: rule.size)
            do throws(SystemError) {
                // Identifies the file for anyone who finds it later.
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
        self.modified = modified
        self.volumes = rule
    }

    /// Continues the container that an interrupted run left under its temporary name.
    ///
    /// The same entries must be added again, in the same order: existing ones are compared instead of written.
    ///
    /// - Parameters:
    ///   - path: The final path.
    ///   - passphrase: The passphrase of the interrupted run.
    ///   - tool: Name and version of the program, for the index.
    ///   - created: The time of the run, for the index.
    ///   - modified: The modification time of all members.
    ///   - volumes: How it is split into volumes; nil to split it only if the file system requires it.
    ///   - firstEntry: Returns the bytes of the first entry, which describe the container to write; they must match
    ///     the interrupted run's.
    /// - Throws: `incomplete` if none of it can be used, `otherSession` if its first entry differs.
    public init(
        resuming path: BytePath, passphrase: borrowing Passphrase, tool: String, created: String,
        modified: Int, volumes: VolumeRule? = nil,
        firstEntry: (ContainerKey) throws(ContainerError) -> [UInt8]
    ) throws(ContainerError) {
        try self.init(
            resuming: path, passphrase: passphrase, tool: tool, created: created, modified: modified,
            volumes: volumes, derivations: passphrase.derivations, firstEntry: firstEntry)
    }

    /// Continues a container, reusing keys that were derived from this passphrase before.
    package init(
        resuming path: BytePath, passphrase: borrowing Passphrase, tool: String, created: String,
        modified: Int, volumes: VolumeRule? = nil, derivations: KeyDerivations,
        firstEntry: (ContainerKey) throws(ContainerError) -> [UInt8]
    ) throws(ContainerError) {
        let folder = try reading { () throws(SystemError) in try OpenFolder(holding: path) }
        let name = path.name + ContainerFormat.temporarySuffix
        let rule = volumes ?? VolumeRule(for: folder)
        let file = try reading { () throws(SystemError) in
            try folder.claimVolumes(name, .update, becoming: .container(path.name), limit: rule.size)
        }
        let status = try reading { () throws(SystemError) in try file.status() }
        // It was started with larger volumes.
        if let size = rule.size, file.volumeCount == 1, status.size > size {
            throw ContainerError(.incomplete)
        }
        let found = try UnfinishedContainer(file) { copies throws(ContainerError) in
            try copies.unlock(passphrase, derivations)
        }
        let entry = try firstEntry(found.key)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: entry.span) }
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
        index = IndexText(tool: tool, created: created)
        self.modified = modified
        self.volumes = rule
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
    /// It may be written after the first entries, because deriving its key takes a second; until then, the file
    /// cannot be opened.
    public mutating func write(_ header: SealedHeader) throws(ContainerError) {
        try reading { () throws(SystemError) in try segments.file.write(header.bytes.span, at: 0) }
        try segments.sync()
        hasHeader = true
    }

    /// Bytes of the payload that an interrupted run left.
    public private(set) var keptBytes = 0

    /// The key of the container.
    package var key: ContainerKey { segments.key }

    /// Bytes of the payload so far.
    public var payloadSize: Int { segments.count }

    /// Whether the file contains anything that can be resumed.
    package var hasSegments: Bool { segments.hasSegments }

    /// Adds an entry.
    ///
    /// - Throws: `invalidUse` for a name that would leave the folder it is extracted to, or that another entry has.
    public mutating func add(
        _ name: BytePath, _ data: Span<UInt8>, sha256: [UInt8]? = nil, properties: [ContainerProperty] = []
    ) throws(ContainerError) {
        guard !BundleName.matches(name), properties.count <= ContainerFormat.mostProperties else {
            throw ContainerError(.invalidUse, entry: name)
        }
        let digest: [UInt8]
        if let sha256 {
            digest = sha256
        } else {
            digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: data) }
        }
        let offset = try append(name, data, digest)
        try index.add(
            ContainerEntry(
                name: name, place: .payload(sha256: digest), offset: offset, length: data.count,
                properties: properties))
    }

    /// Adds the entries of a bundle.
    ///
    /// - Parameters:
    ///   - bundle: The entries.
    ///   - properties: The properties of each entry.
    /// - Throws: `invalidUse` for a name that would leave the folder it is extracted to, or that another entry has.
    package mutating func add(
        _ bundle: ContainerBundle, properties: [[ContainerProperty]]
    ) throws(ContainerError) {
        let number = bundleCount
        bundleCount += 1
        let name = BundleName.name(number)
        guard properties.count == bundle.members.count else { throw ContainerError(.invalidUse, entry: name) }
        var members: [ContainerEntry] = []
        for (member, properties) in zip(bundle.members, properties) {
            guard EntryName.isSafe(member.name), !BundleName.matches(member.name), try isNew(member.name),
                properties.count <= ContainerFormat.mostProperties
            else { throw ContainerError(.invalidUse, entry: member.name) }
            members.append(
                ContainerEntry(
                    name: member.name, place: .bundle(number), offset: member.offset, length: member.length,
                    properties: properties))
        }
        let offset = try append(name, bundle.frame.span, bundle.sha256)
        let entry = ContainerEntry(
            name: name, place: .payload(sha256: bundle.sha256), offset: offset, length: bundle.frame.count,
            properties: [])
        try index.add(entry, members: members)
    }

    /// Appends a member of the payload, unless an earlier run already did.
    ///
    /// - Returns: The offset of its data.
    private mutating func append(
        _ name: BytePath, _ data: Span<UInt8>, _ digest: [UInt8]
    ) throws(ContainerError) -> Int {
        guard EntryName.isSafe(name), try isNew(name), data.count <= ContainerFormat.largestEntry else {
            throw ContainerError(.invalidUse, entry: name)
        }
        if let member = kept.popFirst() {
            guard member.name == name, member.length == data.count, member.sha256 == digest else {
                throw ContainerError(.otherSession, entry: name)
            }
            return member.offset
        }
        try segments.append(TarHeader(name: name, size: data.count, modified: modified).bytes.span)
        let offset = segments.count
        try segments.append(data)
        try segments.append([UInt8](repeating: 0, count: TarHeader.padding(after: data.count)).span)
        return offset
    }

    private mutating func isNew(_ name: BytePath) throws(ContainerError) -> Bool {
        names.insert(try EntryName.fingerprint(name)).inserted
    }

    /// Flushes everything written so far to the device, and leaves the file under its temporary name for
    /// ``init(resuming:)``.
    ///
    /// Data that does not fill a segment is lost.
    public consuming func suspend() throws(ContainerError) {
        try segments.sync()
        try reading { () throws(SystemError) in try segments.file.checkClosing() }
    }
}
