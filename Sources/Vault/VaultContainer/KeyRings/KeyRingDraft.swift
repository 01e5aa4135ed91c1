package import VaultCrypto

/// A key ring that is being made: the encrypted keys of the archives that were opened so far.
///
/// No file key stays in memory; each is encrypted as it is added.
public struct KeyRingDraft: Sendable {
    private let key: RingKey
    private let ring: [UInt8]
    private var entries: [[UInt8]: [UInt8]] = [:]

    /// Starts a ring with an identifier of its own, so that a key may serve for several rings.
    ///
    /// - Throws: `ContainerError`.
    public init(key: RingKey) throws(ContainerError) {
        self.key = key
        ring = try crypto { () throws(CryptoError) in try Random.bytes(KeyRingFormat.identifierSize) }
    }

    /// The number of keys.
    public var count: Int { entries.count }

    /// Whether it has the key of an archive.
    package func contains(_ archive: [UInt8]) -> Bool { entries[archive] != nil }

    /// Returns the file key of an archive; nil if it has none.
    package func fileKey(of archive: [UInt8]) throws(ContainerError) -> SecretBytes? {
        guard let sealed = entries[archive] else { return nil }
        return try EntryKeys.open(sealed, key, ring: ring, archive: archive)
    }

    /// Adds the key of an archive, unless it has a key under that identifier.
    ///
    /// Key and nonce of an entry follow from ring and identifier. So a second file key, which a crafted archive with the
    /// identifier of another one has, must not be encrypted with them.
    ///
    /// - Throws: `ContainerError`: `keyRingFull`.
    package mutating func add(_ container: ContainerKey) throws(ContainerError) {
        let archive = container.identifierBytes
        guard !contains(archive) else { return }
        guard entries.count < KeyRingFormat.mostEntries else { throw ContainerError(.keyRingFull) }
        let (key, ring) = (key, ring)
        entries[archive] = try crypto { () throws(CryptoError) in
            let keys = try EntryKeys(key, ring: ring, archive: archive)
            var cipher = try AES256GCM(key: keys.key)
            return try container.fileKey.withSpan { fileKey throws(CryptoError) in
                try [UInt8](capacity: ContainerKey.wrappedLength) {
                    (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                    try cipher.seal(
                        fileKey, nonce: keys.nonce.span, authenticating: keys.data.span, into: &output)
                }
            }
        }
    }

    /// Returns the bytes of the ring.
    ///
    /// - Throws: `ContainerError`.
    public func bytes() throws(ContainerError) -> [UInt8] {
        try crypto { () throws(CryptoError) in
            var bytes = KeyRingFormat.header(
                count: entries.count, identifier: ring, commitment: try KeyRing.commitment(key, ring: ring))
            bytes.reserveCapacity(KeyRingFormat.size(entries: entries.count))
            for (archive, sealed) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                bytes += archive
                bytes += sealed
            }
            return bytes + (try KeyRing.code(bytes.span, key, ring: ring))
        }
    }
}
