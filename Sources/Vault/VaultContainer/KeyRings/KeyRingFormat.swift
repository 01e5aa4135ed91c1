/// The layout of a key ring, as SECURITY.md describes it.
///
/// ```
/// ring = magic (8) || version (1) || suite (1) || zero (2) || number of entries (4) || zero (16)
///     || identifier (32) || commitment (32) || entries (80 each) || HMAC (64)
/// entry = identifier of the archive (32) || its file key, encrypted (48)
/// ```
enum KeyRingFormat {
    static let magic: [UInt8] = [0x89, 0x48, 0x56, 0x4b, 0x52, 0x0d, 0x0a, 0x1a]
    static let version: UInt8 = 1
    static let suite: UInt8 = 1

    static let identifierSize = 32
    static let commitmentSize = 32
    static let headerSize = 96
    static let entrySize = 80
    static let codeSize = 64

    /// The most archives in a ring: the whole ring is kept in memory.
    static let mostEntries = 1 << 20

    /// Returns the size of a ring in bytes.
    static func size(entries: Int) -> Int { headerSize + entries * entrySize + codeSize }

    /// Returns what comes before the entries.
    static func header(count: Int, identifier: [UInt8], commitment: [UInt8]) -> [UInt8] {
        var bytes = magic + [version, suite, 0, 0]
        bytes.appendInteger(UInt64(count), bytes: 4)
        return bytes + [UInt8](repeating: 0, count: 16) + identifier + commitment
    }
}

/// The bytes of a key ring whose structure is right; only its key shows whether they are authentic.
struct KeyRingBytes: Sendable {
    let bytes: [UInt8]
    let count: Int

    var identifier: [UInt8] { Array(bytes[32..<64]) }
    var commitment: [UInt8] { Array(bytes[64..<96]) }
    /// Everything but the code at the end.
    var authenticated: Range<Int> { 0..<(bytes.count - KeyRingFormat.codeSize) }
    var code: [UInt8] { Array(bytes[authenticated.upperBound...]) }

    /// Checks the structure of a ring.
    ///
    /// - Throws: `notKeyRing`, `unsupportedVersion`, `unsupportedSuite`, or `keyRingDamaged`.
    init(_ bytes: [UInt8]) throws(ContainerError) {
        guard bytes.starts(with: KeyRingFormat.magic) else { throw ContainerError(.notKeyRing) }
        guard bytes.count >= KeyRingFormat.size(entries: 0) else { throw ContainerError(.keyRingDamaged) }
        guard bytes[8] == KeyRingFormat.version else { throw ContainerError(.unsupportedVersion) }
        guard bytes[9] == KeyRingFormat.suite else { throw ContainerError(.unsupportedSuite) }
        let count = Int(bytes.integer(at: 12, bytes: 4))
        guard count <= KeyRingFormat.mostEntries, bytes.count == KeyRingFormat.size(entries: count),
            [10..<12, 16..<32].allSatisfy({ bytes[$0].allSatisfy { $0 == 0 } })
        else { throw ContainerError(.keyRingDamaged) }
        self.bytes = bytes
        self.count = count
        for number in 0..<max(0, count - 1) where !isSorted(number) {
            throw ContainerError(.keyRingDamaged)
        }
    }

    private func isSorted(_ number: Int) -> Bool {
        identifierBytes(number).lexicographicallyPrecedes(identifierBytes(number + 1))
    }

    private func start(_ number: Int) -> Int { KeyRingFormat.headerSize + number * KeyRingFormat.entrySize }

    /// The identifier of an archive, by the number of its entry.
    func identifierBytes(_ number: Int) -> ArraySlice<UInt8> {
        bytes[start(number)..<(start(number) + KeyRingFormat.identifierSize)]
    }

    /// The encrypted file key of an archive; nil if the ring does not have the archive.
    func sealedKey(of identifier: [UInt8]) -> [UInt8]? {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = lower + (upper - lower) / 2
            if identifierBytes(middle).lexicographicallyPrecedes(identifier) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        guard lower < count, identifierBytes(lower).elementsEqual(identifier) else { return nil }
        let end = start(lower) + KeyRingFormat.entrySize
        return Array(bytes[(start(lower) + KeyRingFormat.identifierSize)..<end])
    }
}
