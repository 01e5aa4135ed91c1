import ByteText
public import VaultCrypto

/// The file's key and the keys derived from it.
///
/// Shared by everything that reads or writes one container; the secrets are wiped with the last reference.
public final class ContainerKey: Sendable {
    let preamble: [UInt8]
    let geometry: SegmentGeometry
    let headerKey: SecretBytes
    let segmentKey: SecretBytes
    let fileKey: SecretBytes

    /// The random identifier of the container, as hexadecimal digits.
    public var identifier: String { Hexadecimal.text(identifierBytes) }

    /// The same as 32 bytes.
    var identifierBytes: [UInt8] { [UInt8](preamble[32..<64]) }

    init(fileKey: consuming SecretBytes, preamble: [UInt8]) throws(CryptoError) {
        headerKey = try HKDFSHA512.expand(
            key: fileKey, info: Array("healthvault/v1 header".utf8).span, count: 64)
        segmentKey = try HKDFSHA512.expand(
            key: fileKey, info: Array("healthvault/v1 segment".utf8).span, count: 32)
        self.preamble = preamble
        geometry = SegmentGeometry(chunks: Int(preamble.integer(at: 12, bytes: 4)))
        self.fileKey = fileKey
    }

    /// Returns a new key for a container that is about to be written.
    ///
    /// - Parameter segmentChunks: Chunks of 16 KiB in a segment, 1 to 65536.
    /// - Returns: A key that has not encrypted anything yet.
    /// - Throws: `invalidUse` for a number of chunks out of range.
    public static func new(
        segmentChunks: Int = ContainerFormat.defaultSegmentChunks
    ) throws(ContainerError) -> ContainerKey {
        guard ContainerFormat.segmentChunks.contains(segmentChunks) else { throw ContainerError(.invalidUse) }
        return try crypto { () throws(CryptoError) in
            try ContainerKey(
                fileKey: try .random(count: AES256GCM.keyLength),
                preamble: try Header.newPreamble(segmentChunks: segmentChunks))
        }
    }

    /// Returns the header of a new container with one slot.
    ///
    /// This derives a key from the passphrase, which is slow by design.
    ///
    /// - Throws: `kdfRefused` for iterations below what a writer accepts.
    public func newHeader(
        passphrase: borrowing Passphrase, iterations: Int = ContainerFormat.defaultIterations
    ) throws(ContainerError) -> SealedHeader {
        guard ContainerFormat.writableIterations.contains(iterations) else {
            throw ContainerError(.kdfRefused)
        }
        return try header(passphrase: passphrase, iterations: iterations)
    }

    /// Returns a header with any number of iterations that a reader accepts, for tests that open many containers.
    package func header(
        passphrase: borrowing Passphrase, iterations: Int
    ) throws(ContainerError) -> SealedHeader {
        let slot = try slot(passphrase: passphrase, iterations: iterations)
        let empty = [KeySlot?](repeating: nil, count: ContainerFormat.slotCount - 1)
        return SealedHeader(bytes: try header(generation: 1, slots: [slot] + empty, labels: [:]).bytes)
    }

    /// Returns a slot that the passphrase opens.
    func slot(passphrase: borrowing Passphrase, iterations: Int) throws(ContainerError) -> KeySlot {
        do {
            return try KeySlot(
                wrapping: fileKey, preamble: preamble, passphrase: passphrase, iterations: iterations)
        } catch { throw ContainerError(.cryptoFailed) }
    }

    /// Returns a header of this container.
    func header(
        generation: UInt64, slots: [KeySlot?], labels: [Int: SlotLabel]
    ) throws(ContainerError) -> Header {
        try crypto { () throws(CryptoError) in
            try Header(
                preamble: preamble, generation: generation, slots: slots, sealedLabels: try seal(labels),
                key: self)
        }
    }
}

/// The 4 KiB of a finished header.
public struct SealedHeader: Sendable {
    let bytes: [UInt8]
}
