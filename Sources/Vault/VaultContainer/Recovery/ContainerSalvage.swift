public import SystemIO
package import VaultCrypto

/// Recovers what is left of a container that is damaged, truncated, or was never finished.
///
/// Every byte that it returns is authentic; lost bytes are zero and listed. One intact key slot, or a key ring, and one
/// intact preamble, in either header, are enough. Names, places and digests come from the index; without it, names and
/// places come from the headers inside the payload.
public struct ContainerSalvage: ~Copyable, Sendable {
    /// The entries of the container, in the order of the stream.
    public let entries: [SalvagedEntry]
    /// Whether the index is intact; without it, what is missing after the last entry is unknown.
    public let hasIndex: Bool

    private let file: VolumeFile
    private var stream: SalvagedStream
    /// The bundle that was read last, and its range in the stream.
    private var bundle: (range: Range<Int>, content: BundleContent)?

    /// Opens what is left of a container.
    ///
    /// - Throws: `ContainerError` if no key slot is intact, none belongs to the passphrase, or a key ring does not have
    ///   the key.
    public init(opening path: BytePath, key: ArchiveKey) throws(ContainerError) {
        try self.init(path) { headers, file throws(ContainerError) in try headers.keys(key, file) }
    }

    /// Opens what is left of a container, reusing keys that were derived from this passphrase before.
    package init(
        opening path: BytePath, passphrase: borrowing Passphrase, derivations: KeyDerivations
    ) throws(ContainerError) {
        try self.init(path) { headers, file throws(ContainerError) in
            try headers.keys(passphrase, derivations, file)
        }
    }

    private init(
        _ path: BytePath,
        unlock: (HeaderSalvage, VolumeFile) throws(ContainerError) -> [ContainerKey]
    ) throws(ContainerError) {
        let file = try lockedFile(path, forUpdate: false, fillsGaps: true)
        let size = try reading { () throws(SystemError) in try file.size() }
        let keys = try unlock(try HeaderSalvage(file, size: size), file)
        var best: (stream: SalvagedStream, entries: [SalvagedEntry], hasIndex: Bool)?
        // A header of another container may be in the place of this one's: the key that finds more entries is the
        // right one.
        for key in keys {
            let candidate = try Self.content(key, file, size: size)
            if best.map({ $0.entries.count < candidate.entries.count }) ?? true { best = candidate }
        }
        guard let best else { throw ContainerError(.notContainer) }
        entries = best.entries
        hasIndex = best.hasIndex
        stream = best.stream
        self.file = file
    }

    /// Checks whether a passphrase may open what is left of a container, before asking for it.
    ///
    /// - Throws: `ContainerError`: `notContainer` if there is no key slot.
    public static func check(_ path: BytePath) throws(ContainerError) {
        let file = try lockedFile(path, forUpdate: false, fillsGaps: true)
        let size = try reading { () throws(SystemError) in try file.size() }
        try HeaderSalvage(file, size: size).checkSlots()
    }

    /// Returns what can be read with a key.
    private static func content(
        _ key: ContainerKey, _ file: VolumeFile, size: Int
    ) throws(ContainerError) -> (stream: SalvagedStream, entries: [SalvagedEntry], hasIndex: Bool) {
        var (stream, index) = try Self.stream(key, file, size: size)
        let entries: [SalvagedEntry]
        if let index {
            entries = index.payload.map { entry in
                let digest: [UInt8]? = if case .payload(let sha256) = entry.place { sha256 } else { nil }
                return SalvagedEntry(
                    name: entry.name, range: entry.range, length: entry.length, sha256: digest)
            }
        } else {
            entries = try TarWalk(length: stream.length) { range throws(ContainerError) in
                try stream.read(range, file)
            }.entries
        }
        return (stream, try unpacked(entries, index, &stream, file), index != nil)
    }

    /// Returns the entries, with each intact bundle replaced by the entries in it.
    private static func unpacked(
        _ entries: [SalvagedEntry], _ index: ContainerIndex?, _ stream: inout SalvagedStream,
        _ file: VolumeFile
    ) throws(ContainerError) -> [SalvagedEntry] {
        var unpacked: [SalvagedEntry] = []
        var listed = index?.bundles[...] ?? []
        for entry in entries {
            guard let name = entry.name, BundleName.matches(name) else {
                unpacked.append(entry)
                continue
            }
            let members = listed.popFirst().flatMap { bundle in index?.entries[bundle.members] }
            guard let content = try content(ofBundle: entry, name, &stream, file),
                let found = try content.salvagedMembers(of: entry.range, listed: members),
                unpacked.count + found.count <= mostEntries
            else {
                unpacked.append(entry)
                continue
            }
            unpacked += found
        }
        return unpacked
    }

    /// The most entries that a search without an index, or unpacking bundles, may produce.
    static let mostEntries = 1 << 20

    /// Returns the content of a bundle, nil if it is not intact.
    private static func content(
        ofBundle entry: SalvagedEntry, _ name: BytePath, _ stream: inout SalvagedStream,
        _ file: VolumeFile
    ) throws(ContainerError) -> BundleContent? {
        guard entry.length == entry.range.count, entry.length <= ContainerFormat.largestBundleFrame else {
            return nil
        }
        let (bytes, lost) = try stream.read(entry.range, file)
        guard lost.isEmpty else { return nil }
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: bytes.span) }
        guard entry.sha256.map({ $0 == digest }) ?? true else { return nil }
        return try? BundleContent(bytes, name: name)
    }

    /// Returns the stream under a key, and the index if all of it is intact.
    private static func stream(
        _ key: ContainerKey, _ file: VolumeFile, size: Int
    ) throws(ContainerError) -> (stream: SalvagedStream, index: ContainerIndex?) {
        var end: Int?
        // The end of the segments is known if the last one opens or, if its chunks are damaged, from the header
        // after it.
        if let found = try? ContainerEnd(size: size, hasSpareHeader: true).locate(key, file) {
            end = found.end
        } else if size > 2 * ContainerFormat.headerSize,
            let last = try? file.bytes(
                at: size - ContainerFormat.headerSize, count: ContainerFormat.preambleSize),
            last == key.preamble
        {
            end = size - ContainerFormat.headerSize
        }
        var stream = try SalvagedStream(SalvagedSegments(key, size: size, end: end), file)
        guard let index = try index(&stream, file, key) else { return (stream, nil) }
        stream = try SalvagedStream(SalvagedSegments(key, size: size, end: end, salts: index.salts), file)
        return (stream, index)
    }

    private static func index(
        _ stream: inout SalvagedStream, _ file: VolumeFile, _ key: ContainerKey
    ) throws(ContainerError) -> ContainerIndex? {
        let length = stream.length
        guard length >= ContainerFormat.footerSize else { return nil }
        let (bytes, lost) = try stream.read((length - ContainerFormat.footerSize)..<length, file)
        guard lost.isEmpty, let footer = try? Footer(bytes, streamLength: length) else { return nil }
        let range = footer.payloadLength..<(footer.payloadLength + footer.indexLength)
        let (json, missing) = try stream.read(range, file)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: json.span) }
        guard missing.isEmpty, digest == footer.indexDigest,
            let index = try? ContainerIndex(frames: json, payloadLength: footer.payloadLength),
            index.salts.count == footer.payloadLength / key.geometry.plaintext + 1
        else { return nil }
        return index
    }

    /// Returns the bytes of a part of an entry, zero where they are lost, and the lost ranges, counted from the
    /// part's start.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - part: The part, counted from the entry's start.
    /// - Throws: `ContainerError` if decryption fails for a reason other than damage; bytes that the drive cannot
    ///   read count as lost.
    public mutating func read(
        _ entry: SalvagedEntry, _ part: Range<Int>
    ) throws(ContainerError) -> (bytes: [UInt8], lost: [Range<Int>]) {
        let range = (entry.range.lowerBound + part.lowerBound)..<(entry.range.lowerBound + part.upperBound)
        guard let place = entry.bundle else { return try stream.read(range, file) }
        if bundle?.range != place {
            let (bytes, lost) = try stream.read(place, file)
            bundle =
                lost.isEmpty ? (try? BundleContent(bytes, name: entry.name ?? "")).map { (place, $0) } : nil
        }
        // A drive may read something once and not again.
        guard let content = bundle?.content.bytes, range.upperBound <= content.count else {
            return ([UInt8](repeating: 0, count: part.count), part.isEmpty ? [] : [0..<part.count])
        }
        return ([UInt8](content[range]), [])
    }

    /// The paths of the volumes that are missing between others; all that was in them is lost.
    public var missingVolumes: [BytePath] { file.missing }

    /// The chunks of 16 KiB found lost so far, in order.
    public var lostChunks: [(segment: Int, chunk: Int)] {
        stream.lostChunks.sorted().map { stream.place(ofChunk: $0) }
    }
}
