public import SystemIO
public import VaultCrypto

/// A finished container, opened with its key.
///
/// Once it is open, the last segment, the footer and the index are authentic. Everything else is authenticated 16 KiB
/// at a time, before it is returned.
public struct ContainerReader: ~Copyable, Sendable {
    /// The path of the container.
    public let path: BytePath
    /// The entries in the order in which they were written, including those in bundles.
    public let entries: [ContainerEntry]
    /// The entries of the payload, each bundle as one entry.
    let payload: [ContainerEntry]
    let bundles: [ContainerIndex.Bundle]
    /// Defects that do not prevent reading.
    public let warnings: Set<ContainerWarning>
    /// Name and version of the program that wrote it.
    public let tool: String
    /// When it was written.
    public let created: String
    /// Seconds that the key derivation took.
    public let keyDerivationSeconds: Double

    let file: VolumeFile
    let fileSize: Int
    let segments: SegmentReader
    let footer: Footer
    let copies: HeaderCopies
    /// The headers that the passphrase opened.
    let unlockedHeaders: [Header]

    /// Opens a container.
    ///
    /// - Throws: `ContainerError`; an invalid header is refused before any key is derived.
    public init(opening path: BytePath, passphrase: borrowing Passphrase) throws(ContainerError) {
        try self.init(opening: path, passphrase: passphrase, derivations: passphrase.derivations)
    }

    /// Opens a container, reusing keys that were derived from this passphrase before.
    package init(
        opening path: BytePath, passphrase: borrowing Passphrase, derivations: KeyDerivations,
        forUpdate: Bool = false
    ) throws(ContainerError) {
        try self.init(path, forUpdate: forUpdate) { copies throws(ContainerError) in
            try copies.unlock(passphrase, derivations)
        }
    }

    /// Opens a container with its key.
    ///
    /// - Throws: `ContainerError`, `notInKeyRing` if a key ring does not have it.
    public init(opening path: BytePath, key: ArchiveKey) throws(ContainerError) {
        try self.init(path) { copies throws(ContainerError) in try copies.unlock(key) }
    }

    /// Opens a container with its file key, which the container that continues it contains.
    ///
    /// - Throws: `ContainerError`, `headerTampered` if the container has another key.
    package init(opening path: BytePath, fileKey: borrowing SecretBytes) throws(ContainerError) {
        try self.init(path) { copies throws(ContainerError) in try copies.unlock(fileKey: fileKey) }
    }

    private init(
        _ path: BytePath, forUpdate: Bool = false,
        unlock: (HeaderCopies) throws(ContainerError) -> [(key: ContainerKey, header: Header)]
    ) throws(ContainerError) {
        let file = try lockedFile(path, forUpdate: forUpdate)
        let size = try reading { () throws(SystemError) in try file.size() }
        let copies = try HeaderCopies(file, size: size)
        guard size > ContainerFormat.headerSize else { throw ContainerError(.incomplete) }
        let start = SystemClock.uptime()
        let opened = try unlock(copies)
        let seconds = SystemClock.uptime() - start

        let end = ContainerEnd(size: size, hasSpareHeader: (try? copies.spare?.get()) != nil)
        var found: SegmentReader?
        for candidate in opened where found == nil { found = try end.locate(candidate.key, file) }
        guard var segments = found else { throw try end.diagnose(opened[0].key, file) }
        guard let length = segments.streamLength else { throw ContainerError(.truncated) }

        var bytes: [UInt8] = []
        guard length >= ContainerFormat.footerSize else { throw ContainerError(.badFooter) }
        try segments.read((length - ContainerFormat.footerSize)..<length, file, into: &bytes)
        let footer = try Footer(bytes, streamLength: length)
        bytes = []
        bytes.reserveCapacity(footer.indexLength)
        let indexEnd = footer.payloadLength + footer.indexLength
        try segments.read(footer.payloadLength..<indexEnd, file, into: &bytes)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: bytes.span) }
        guard digest == footer.indexDigest else { throw ContainerError(.badFooter) }
        let index = try ContainerIndex(frames: bytes, payloadLength: footer.payloadLength)
        guard index.salts.count == footer.payloadLength / segments.key.geometry.plaintext + 1 else {
            throw ContainerError(.badFooter)
        }
        segments.salts = index.salts
        let authentic = try copies.authentic(under: segments.key)

        self.path = path
        self.footer = footer
        keyDerivationSeconds = seconds
        entries = index.entries
        payload = index.payload
        bundles = index.bundles
        tool = index.tool
        created = index.created
        warnings = Self.warnings(copies, authentic, segments, size: size)
        self.file = file
        fileSize = size
        self.segments = segments
        self.copies = copies
        unlockedHeaders = opened.map(\.header).filter { $0.preamble == segments.key.preamble }
        DebugLog.log(
            "opened archive \(path): \(size) bytes, \(segments.count) segments, \(index.entries.count) entries"
        )
    }

    /// The key of the container.
    package var key: ContainerKey { segments.key }
    /// The size of the file in bytes.
    public var size: Int { fileSize }
    /// The random identifier of the container, as hexadecimal digits.
    public var identifier: String { segments.key.identifier }
    /// SHA-256 of the index, which never changes and identifies everything in the container.
    public var indexDigest: [UInt8] { footer.indexDigest }

    private static func warnings(
        _ copies: HeaderCopies, _ authentic: [Header], _ segments: SegmentReader, size: Int
    ) -> Set<ContainerWarning> {
        var warnings: Set<ContainerWarning> = []
        let primary = try? copies.primary.get()
        let spare = try? copies.spare?.get()
        if primary == nil || !authentic.contains(where: { $0 == primary }) {
            warnings.insert(.primaryHeaderDamaged)
        }
        if segments.end == size {
            warnings.insert(.spareHeaderMissing)
        } else if spare == nil || segments.end != size - ContainerFormat.headerSize
            || !authentic.contains(where: { $0 == spare })
        {
            warnings.insert(.spareHeaderDamaged)
        }
        if authentic.count == 2, authentic[0].generation != authentic[1].generation {
            warnings.insert(.headerGenerationsDiffer)
        }
        let slots = authentic.flatMap(\.slots).compactMap { $0 }
        if slots.contains(where: { $0.iterations < ContainerFormat.writableIterations.lowerBound }) {
            warnings.insert(.weakKdf)
        }
        return warnings
    }

    /// Returns the bytes of an entry, checked against its digest or that of its bundle.
    ///
    /// - Throws: `entryMismatch` if the digest differs.
    public func data(of entry: ContainerEntry) throws(ContainerError) -> [UInt8] {
        var cursor = EntryCursor()
        return try cursor.data(ofSingle: entry, in: self)
    }

    /// Returns the entry with that name.
    ///
    /// - Throws: `noSuchEntry` if there is none.
    public func entry(named name: BytePath) throws(ContainerError) -> ContainerEntry {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw ContainerError(.noSuchEntry, entry: name)
        }
        return entry
    }

    /// Passes a tar stream of the chosen entries to `body` piece by piece, each with its header and padding.
    ///
    /// A header is passed on only if it matches the index, whose names cannot lead to another folder. Every piece is
    /// authentic, but the stream is complete only if this returns without an error.
    ///
    /// - Throws: `entryMismatch` or `badFooter` if the payload does not match the index.
    public func forEachMemberPiece<Failure: Error>(
        where isIncluded: (ContainerEntry) -> Bool, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws {
        var cursor = EntryCursor()
        var start = 0
        var bundles = self.bundles[...]
        for entry in payload {
            if let bundle = bundles.first, bundle.entry.name == entry.name {
                bundles.removeFirst()
                try forEachPiece(of: bundle, where: isIncluded, body)
            } else if isIncluded(entry) {
                let header = try tarHeader(at: start, of: entry, &cursor)
                try body(header.span)
                try forEachPiece(of: entry, body)
                let padding = [UInt8](repeating: 0, count: TarHeader.padding(after: entry.length))
                try body(padding.span)
            }
            start = min(
                entry.range.upperBound + TarHeader.padding(after: entry.length), footer.payloadLength)
        }
    }

    private func forEachPiece<Failure: Error>(
        of bundle: ContainerIndex.Bundle, where isIncluded: (ContainerEntry) -> Bool,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws {
        let members = entries[bundle.members]
        guard members.contains(where: isIncluded) else { return }
        let content = try BundleContent(try data(of: bundle.entry), name: bundle.entry.name)
        var start = 0
        for member in members {
            let padding = TarHeader.padding(after: member.length)
            if isIncluded(member) {
                let header = try content.tarHeader(at: start, of: member)
                try body(header.span)
                let data = try content.data(of: member)
                try body(data.span)
                let zeroes = [UInt8](repeating: 0, count: padding)
                try body(zeroes.span)
            }
            start = member.range.upperBound + padding
        }
    }

    private func forEachPiece<Failure: Error>(
        of entry: ContainerEntry, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws {
        let range = entry.range
        var hash = try SHA256()
        var position = range.lowerBound
        var piece: [UInt8] = []
        while position < range.upperBound {
            let next = min(position + segments.key.geometry.plaintext, range.upperBound)
            piece.removeAll(keepingCapacity: true)
            try segments.read(position..<next, file, into: &piece)
            hash.update(piece.span)
            try body(piece.span)
            position = next
        }
        guard case .payload(let sha256) = entry.place, hash.finish() == sha256 else {
            throw ContainerError(.entryMismatch, entry: entry.name)
        }
    }

    /// Returns a part of the payload as it is in the stream.
    package func payload(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        try segments.read(range.clamped(to: 0..<footer.payloadLength), file, into: &bytes)
        return bytes
    }

    /// The blocks that end a tar stream, after its last member.
    public static var endOfPayload: [UInt8] { TarHeader.end }
}
