import ByteText
import VaultCrypto

/// Reads entries in the order in which they were written, decrypting a segment that several of them share only
/// once.
///
/// It keeps the payload of one segment and the content of the bundles that were read last: batches in the order of their
/// spans may lie alternately in several bundles.
public struct EntryCursor: Sendable {
    private var segment = -1
    private var plaintext: [UInt8] = []
    /// The bundles that were read last, the latest at the end.
    private var bundles: [(number: Int, content: BundleContent)] = []
    private var openSegments = OpenSegments()

    /// The most bytes of bundles to keep.
    private static let bundleMemory = 8 * ContainerFormat.largestBundle

    /// Creates a cursor for one container.
    public init() {}

    /// Returns the bytes of an entry, checked against its digest.
    ///
    /// - Throws: `entryMismatch` if the digest differs; the errors of `ContainerReader.data(of:)`, even if only
    ///   another entry's part of a segment is damaged.
    public mutating func data(
        of entry: ContainerEntry, in reader: borrowing ContainerReader
    ) throws(ContainerError) -> [UInt8] {
        switch entry.place {
        case .payload(let sha256):
            let bytes = try bytes(entry.range, in: reader)
            let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: bytes.span) }
            guard digest == sha256 else { throw ContainerError(.entryMismatch, entry: entry.name) }
            return bytes
        case .bundle(let number): return try content(ofBundle: number, in: reader).data(of: entry)
        }
    }

    /// Returns the bytes of an entry, checked against its digest, when entries are read in any order.
    ///
    /// Of a segment only the entry's own chunks are decrypted, with keys that are derived once.
    ///
    /// - Throws: `entryMismatch` if the digest differs.
    public mutating func data(
        ofSingle entry: ContainerEntry, in reader: borrowing ContainerReader
    ) throws(ContainerError) -> [UInt8] {
        guard case .payload(let sha256) = entry.place else { return try data(of: entry, in: reader) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.length)
        try reader.segments.read(entry.range, reader.file, into: &bytes, &openSegments)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: bytes.span) }
        guard digest == sha256 else { throw ContainerError(.entryMismatch, entry: entry.name) }
        return bytes
    }

    /// Returns the content of a bundle.
    mutating func content(
        ofBundle number: Int, in reader: borrowing ContainerReader
    ) throws(ContainerError) -> BundleContent {
        if let known = bundles.lastIndex(where: { $0.number == number }) {
            let bundle = bundles.remove(at: known)
            bundles.append(bundle)
            return bundle.content
        }
        // Only the bundle's own chunks: reading one small entry does not require the segment around it.
        let entry = reader.bundles[number].entry
        let content = try BundleContent(try data(ofSingle: entry, in: reader), name: entry.name)
        bundles.append((number, content))
        while bundles.count > 1, bundles.total(\.content.bytes.count) > Self.bundleMemory {
            bundles.removeFirst()
        }
        return content
    }

    /// Returns a range of the payload.
    mutating func bytes(
        _ range: Range<Int>, in reader: borrowing ContainerReader
    ) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        let size = reader.segments.key.geometry.plaintext
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position / size * size
            try load(
                position / size, start..<max(start, min(start + size, reader.footer.payloadLength)), reader)
            let stop = min(range.upperBound, start + plaintext.count)
            guard position < stop else { throw ContainerError(.badFooter) }
            bytes += plaintext[(position - start)..<(stop - start)]
            position = stop
        }
        return bytes
    }

    private mutating func load(
        _ number: Int, _ range: Range<Int>, _ reader: borrowing ContainerReader
    ) throws(ContainerError) {
        guard number != segment else { return }
        guard !range.isEmpty else { throw ContainerError(.badFooter) }
        segment = -1
        plaintext.removeAll(keepingCapacity: true)
        try reader.segments.read(range, reader.file, into: &plaintext)
        segment = number
    }
}
