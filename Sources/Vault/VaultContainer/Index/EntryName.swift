import SystemIO
import VaultCrypto

/// The rules for names of entries: relative paths in UTF-8 that stay below the folder that they are extracted to.
enum EntryName: Sendable {
    static let longest = 1024
    /// The most parts of a name: its folders and the name itself.
    static let mostParts = 32

    static func isSafe(_ name: BytePath) -> Bool {
        name.count <= longest && name.staysInside && !name.bytes.contains { $0 < 0x20 || $0 == 0x5c }
            && name.bytes.count(where: { $0 == UInt8(ascii: "/") }) < mostParts && name.text != nil
    }

    /// Returns 128 bits of the name's SHA-256: enough to distinguish a hundred thousand names without storing them.
    static func fingerprint(_ name: BytePath) throws(ContainerError) -> UInt128 {
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: name.bytes.span) }
        return digest[..<16].reduce(0) { $0 << 8 | UInt128($1) }
    }
}
