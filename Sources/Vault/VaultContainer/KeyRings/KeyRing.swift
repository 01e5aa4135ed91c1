import ByteText
public import SystemIO
package import VaultCrypto

/// A file with the keys of many archives, encrypted under one key.
///
/// It opens each of them without a key derivation. The whole file is authentic once it is open: nobody without its key can
/// have added, removed, swapped or changed an entry.
///
/// ```swift
/// let ring = try KeyRing(reading: "study.keyring", key: RingKey(reading: "/run/secrets/study.key"))
/// let store = try ArchiveStore(container: "0001.hvault", key: .keyRing(ring))
/// ```
public final class KeyRing: Sendable {
    private let content: KeyRingBytes
    private let key: RingKey

    /// The first bytes of a key ring.
    public static let start: [UInt8] = KeyRingFormat.magic

    /// Reads and authenticates a key ring.
    ///
    /// - Throws: `ContainerError`: `notKeyRing`, `wrongRingKey`, `keyRingDamaged`.
    public convenience init(reading path: BytePath, key: RingKey) throws(ContainerError) {
        try self.init(try Self.bytes(of: path), key: key)
    }

    init(_ bytes: [UInt8], key: RingKey) throws(ContainerError) {
        let content = try KeyRingBytes(bytes)
        try crypto { () throws(CryptoError) in try Self.commitment(key, ring: content.identifier) }
            .check(content.commitment, or: .wrongRingKey)
        let code = try crypto { () throws(CryptoError) in
            try Self.code(bytes.span.extracting(content.authenticated), key, ring: content.identifier)
        }
        try code.check(content.code, or: .keyRingDamaged)
        self.content = content
        self.key = key
        DebugLog.log("opened a key ring with \(content.count) keys")
    }

    /// The number of archives that it has the keys of.
    public var count: Int { content.count }

    /// The identifiers of these archives, as hexadecimal digits, in ascending order.
    public var identifiers: [String] { Self.identifiers(content) }

    /// Returns the identifiers that a key ring states, without authenticating any: everybody can see them.
    ///
    /// - Throws: `ContainerError`: `notKeyRing`, `keyRingDamaged`.
    public static func statedIdentifiers(in path: BytePath) throws(ContainerError) -> [String] {
        identifiers(try KeyRingBytes(try bytes(of: path)))
    }

    private static func identifiers(_ content: KeyRingBytes) -> [String] {
        (0..<content.count).map { Hexadecimal.text(Array(content.identifierBytes($0))) }
    }

    private static func bytes(of path: BytePath) throws(ContainerError) -> [UInt8] {
        try reading { () throws(SystemError) in
            let file = try FileDescriptor(opening: path, .read)
            let most = KeyRingFormat.size(entries: KeyRingFormat.mostEntries)
            // One byte more than the largest ring shows that a file is none.
            return try file.bytes(at: 0, count: min(try file.status().size, most + 1))
        }
    }

    /// Returns the file key of an archive.
    ///
    /// - Parameter identifier: The 32 bytes that identify it.
    /// - Throws: `notInKeyRing` if there is none.
    package func fileKey(of identifier: [UInt8]) throws(ContainerError) -> SecretBytes {
        guard let sealed = content.sealedKey(of: identifier) else { throw ContainerError(.notInKeyRing) }
        return try EntryKeys.open(sealed, key, ring: content.identifier, archive: identifier)
    }

    static func commitment(_ key: RingKey, ring: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.derive("commitment", ring: ring, count: KeyRingFormat.commitmentSize).withSpan { $0.array }
    }

    static func code(_ bytes: Span<UInt8>, _ key: RingKey, ring: [UInt8]) throws(CryptoError) -> [UInt8] {
        let codeKey = try key.derive("code", ring: ring, count: HMACSHA512.codeLength)
        return try HMACSHA512.code(of: bytes, key: codeKey)
    }
}

/// Key and nonce of an entry, derived for this ring and this archive; they encrypt one file key and nothing else.
struct EntryKeys: ~Copyable {
    let key: SecretBytes
    let nonce: [UInt8]
    /// What the entry authenticates besides the file key.
    let data: [UInt8]

    init(_ ringKey: RingKey, ring: [UInt8], archive: [UInt8]) throws(CryptoError) {
        let output = try ringKey.derive(
            "entry", ring: ring, archive: archive, count: AES256GCM.keyLength + AES256GCM.nonceLength)
        key = try output.part(0..<AES256GCM.keyLength)
        nonce = output.withSpan { $0.extracting(AES256GCM.keyLength..<$0.count).array }
        data = ring + archive
    }

    /// Decrypts the file key of an archive.
    ///
    /// - Throws: `keyRingDamaged` if it was encrypted for another ring or archive.
    static func open(
        _ sealed: [UInt8], _ ringKey: RingKey, ring: [UInt8], archive: [UInt8]
    ) throws(ContainerError) -> SecretBytes {
        do {
            let keys = try EntryKeys(ringKey, ring: ring, archive: archive)
            var fileKey = try SecretBytes(zeroes: AES256GCM.keyLength)
            var cipher = try AES256GCM(key: keys.key)
            try fileKey.withMutableSpan { (target: inout MutableSpan<UInt8>) throws(CryptoError) in
                try cipher.open(
                    sealed.span, nonce: keys.nonce.span, authenticating: keys.data.span, filling: &target)
            }
            return fileKey
        } catch {
            throw ContainerError(error.code == .authenticationFailed ? .keyRingDamaged : .cryptoFailed)
        }
    }
}

extension [UInt8] {
    /// Compares with the bytes in a ring, in constant time.
    fileprivate func check(_ stated: [UInt8], or failure: ContainerError.Code) throws(ContainerError) {
        guard constantTimeEqual(span, stated.span) else { throw ContainerError(failure) }
    }
}
