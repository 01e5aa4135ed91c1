import AppleHealthExport
import JSONText
import VaultCrypto

/// What tells one source from another: lengths and checksums, no names and no times.
///
/// It is taken while the document goes by, and a gigabyte is not hashed for it.
public struct SourceFingerprint: Sendable, Equatable {
    /// Length of the main document.
    public var length = 0
    /// SHA-256 of the document's first MiB.
    public var head: [UInt8] = []
    /// SHA-256 of its last MiB.
    public var tail: [UInt8] = []
    /// CRC-32 of the document.
    public var crc32: UInt32 = 0
    /// Number of side files.
    public var fileCount = 0
    /// Sum of their lengths.
    public var fileLength = 0
    /// CRC-32 over the CRC-32 values of the side files in the order of their names, each as four bytes, big-endian.
    public var fileCRC32: UInt32 = 0

    static let edge = 1 << 20

    func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("length", length)
            writer.member("head", Hexadecimal.text(head))
            writer.member("tail", Hexadecimal.text(tail))
            writer.member("crc32", Hexadecimal.text(crc32))
            writer.member("files", fileCount)
            writer.member("filesLength", fileLength)
            writer.member("filesCRC32", Hexadecimal.text(fileCRC32))
        }
    }
}

/// Takes the fingerprint of the document while it is read.
final class FingerprintObserver: DocumentObserver {
    private var length = 0
    private var head: [UInt8] = []
    /// The last bytes, as a ring.
    private var ring: [UInt8] = []
    /// Where the last MiB is expected to start, nil where the length is unknown.
    ///
    /// Bytes before it need not be kept.
    private var tailStart: Int?
    private let expectedLength: Int?

    init(expectedLength: Int?) {
        self.expectedLength = expectedLength
        tailStart = expectedLength.map { max(0, $0 - SourceFingerprint.edge) }
    }

    func observe(_ bytes: Span<UInt8>) {
        if head.count < SourceFingerprint.edge {
            let part = min(bytes.count, SourceFingerprint.edge - head.count)
            head += bytes.extracting(0..<part).array
        }
        if let expectedLength, let start = tailStart, length + bytes.count > start + SourceFingerprint.edge,
            length + bytes.count > expectedLength
        {
            // Longer than the zip's directory says: its size field has wrapped at 4 GiB.
            tailStart = start + 1 << 32
        }
        let skip = max(0, (tailStart ?? 0) - length)
        if skip < bytes.count { keep(bytes.extracting(skip..<bytes.count)) }
        length += bytes.count
    }

    private func keep(_ bytes: Span<UInt8>) {
        ring += bytes.array
        // Cut seldom, so that the bytes are not moved again and again.
        if ring.count > 2 * SourceFingerprint.edge { ring.removeFirst(ring.count - SourceFingerprint.edge) }
    }

    /// The document's part of the fingerprint.
    func fingerprint(crc32: UInt32) throws(CryptoError) -> SourceFingerprint {
        var fingerprint = SourceFingerprint()
        fingerprint.length = length
        let head = head
        fingerprint.head = try SHA256.digest(of: head.span)
        if ring.count > SourceFingerprint.edge { ring.removeFirst(ring.count - SourceFingerprint.edge) }
        // A document shorter than a MiB is its own first and last one.
        let tail = length <= SourceFingerprint.edge ? head : ring
        fingerprint.tail = try SHA256.digest(of: tail.span)
        fingerprint.crc32 = crc32
        return fingerprint
    }
}
