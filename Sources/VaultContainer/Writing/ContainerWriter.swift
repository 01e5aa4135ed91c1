import JSONText
import SystemIO
import VaultCrypto

/// Writes a container: entries one after the other, then the index, then both headers.
///
/// The file bears the name `NAME.part` until all of it is on the device and was read back.
public struct ContainerWriter: ~Copyable, Sendable {
    /// What an unfinished container's name ends with.
    public static let temporarySuffix = ".part"

    /// What the finished container is called.
    public let path: String
    /// The name until then.
    public let temporaryPath: String

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

    /// Starts a container.
    ///
    /// - Parameters:
    ///   - path: The final name. Whether it may exist already is decided in `finish`.
    ///   - key: A new key.
    ///   - tool: Name and version of the program, for the index.
    ///   - created: The time of the run (RFC 3339), for the index.
    ///   - modified: The modification time of all members of the payload, in seconds since 1970.
    /// - Throws: `io`, with `isExisting` where another run left its temporary file.
    public init(
        path: String, key: VaultKey, tool: String, created: String, modified: Int
    ) throws(ContainerError) {
        self.path = path
        temporaryPath = path + Self.temporarySuffix
        let preamble = key.preamble
        let file = try reading { () throws(SystemError) in
            let file = try FileDescriptor(opening: path + Self.temporarySuffix, .create)
            do throws(SystemError) {
                try file.lock(exclusively: true)
                // So that whoever finds the file later can tell what it is.
                try file.write(preamble.span, at: 0)
            } catch {
                try? Folder.removeFile(path + Self.temporarySuffix)
                throw error
            }
            return file
        }
        segments = SegmentWriter(key: key, file: file)
        self.tool = tool
        self.created = created
        self.modified = modified
    }

    /// Writes the header at the start.
    ///
    /// It may come after the first entries, because it takes a second to derive; until it is there, nothing
    /// in the file can be opened by anyone.
    public mutating func write(_ header: SealedHeader) throws(ContainerError) {
        try reading { () throws(SystemError) in try segments.file.write(header.bytes.span, at: 0) }
        try segments.sync()
        hasHeader = true
    }

    /// Bytes of the payload so far.
    public var payloadSize: Int { segments.count }

    /// Adds an entry.
    ///
    /// - Throws: `invalidUse` for a name that would leave the folder it is extracted to, or that another entry has.
    public mutating func add(
        _ name: String, _ data: Span<UInt8>, sha256: [UInt8]? = nil, properties: [ContainerProperty] = []
    ) throws(ContainerError) {
        guard EntryName.isSafe(name), try isNew(name) else {
            throw ContainerError(.invalidUse, entry: name)
        }
        let digest: [UInt8]
        if let sha256 {
            digest = sha256
        } else {
            digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: data) }
        }
        try segments.append(TarHeader(name: name, size: data.count, modified: modified).bytes.span)
        let entry = ContainerEntry(
            name: name, offset: segments.count, length: data.count, sha256: digest, properties: properties)
        ContainerIndex.write(entry, &entries)
        if entries.bytes.count >= Self.blockSize {
            fullBlocks.append(entries.bytes + [UInt8(ascii: ",")])
            entries = JSONWriter()
        }
        try segments.append(data)
        try segments.append([UInt8](repeating: 0, count: TarHeader.padding(after: data.count)).span)
    }

    private mutating func isNew(_ name: String) throws(ContainerError) -> Bool {
        names.insert(try EntryName.fingerprint(name)).inserted
    }

    /// Writes the end, reads the whole file back, and gives it its name.
    ///
    /// - Parameters:
    ///   - header: The header, again.
    ///   - replacing: An existing container is replaced, now that the new one is known to be good.
    /// - Returns: The size of the file.
    /// - Throws: `io` with `isExisting` when the target exists and is not to be replaced; `headerTampered` when `header`
    ///   is not the one at the start.
    public consuming func finish(_ header: SealedHeader, replacing: Bool) throws(ContainerError) -> Int {
        guard hasHeader else { throw ContainerError(.invalidUse) }
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
        let temporary = temporaryPath
        let path = path
        try segments.close()
        try reading { () throws(SystemError) in try Folder.rename(temporary, to: path, replacing: replacing) }
        return size
    }
}
