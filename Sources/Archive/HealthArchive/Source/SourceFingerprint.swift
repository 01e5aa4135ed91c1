import AppleHealthExport
import ByteText
import VaultCrypto

/// The facts that distinguish one source from another: lengths and checksums, no names and no times.
///
/// It is computed while the document is read, without hashing gigabytes with SHA-256.
public struct SourceFingerprint: Sendable, Equatable {
    /// The length of the main document, in bytes.
    public var length = 0
    /// SHA-256 of the document's first MiB.
    public var head: [UInt8] = []
    /// SHA-256 of its last MiB.
    public var tail: [UInt8] = []
    /// CRC-32 of the document.
    public var crc32: UInt32 = 0
    /// The number of side files.
    public var fileCount = 0
    /// Their total length, in bytes.
    public var fileLength = 0
    /// CRC-32 over the CRC-32 values of the side files in the order of their names, each as four bytes, big-endian.
    public var fileCRC32: UInt32 = 0

    static let edge = 1 << 20
}

/// An observer that computes the fingerprint of the document while it is read.
package final class FingerprintObserver: DocumentObserver {
    private var length = 0
    private var head: SHA256
    /// The digest from `tailStart` on, if the length is known in advance.
    private var tail: SHA256
    private var tailStart: Int
    private let expectedLength: Int?
    /// The last bytes, if the length is not known.
    private var recent: [UInt8] = []

    package init(expectedLength: Int?) throws {
        self.expectedLength = expectedLength
        tailStart = max(0, (expectedLength ?? 0) - SourceFingerprint.edge)
        head = try SHA256()
        tail = try SHA256()
    }

    func observe(_ bytes: Span<UInt8>) {
        let headEnd = min(max(0, SourceFingerprint.edge - length), bytes.count)
        head.update(bytes.extracting(0..<headEnd))
        if expectedLength == nil {
            appendRecent(bytes)
        } else {
            restartIfWrapped(length + bytes.count)
            let skip = min(max(0, tailStart - length), bytes.count)
            tail.update(bytes.extracting(skip..<bytes.count))
        }
        length += bytes.count
    }

    /// Restarts the tail of a document that is longer than the zip's directory states: its size field wrapped at 4 GiB.
    private func restartIfWrapped(_ length: Int) {
        guard length > tailStart + SourceFingerprint.edge, tailStart > 0, let fresh = try? SHA256() else {
            return
        }
        tailStart += 1 << 32
        tail = fresh
    }

    private func appendRecent(_ bytes: Span<UInt8>) {
        recent += bytes.array
        // Trimmed rarely, so that the bytes are not moved each time.
        if recent.count > 2 * SourceFingerprint.edge {
            recent.removeFirst(recent.count - SourceFingerprint.edge)
        }
    }

    /// Returns the document's part of the fingerprint; it must be called once for each document.
    package func fingerprint(crc32: UInt32) throws -> SourceFingerprint {
        var fingerprint = SourceFingerprint()
        fingerprint.length = length
        var finished = try SHA256()
        swap(&finished, &head)
        fingerprint.head = finished.finish()
        if expectedLength == nil {
            let last = [UInt8](recent.suffix(SourceFingerprint.edge))
            fingerprint.tail = try SHA256.digest(of: last.span)
        } else {
            var finished = try SHA256()
            swap(&finished, &tail)
            fingerprint.tail = finished.finish()
        }
        fingerprint.crc32 = crc32
        return fingerprint
    }
}
