import SystemIO
import VaultCrypto

/// Which names entries may have: relative paths in UTF-8 that stay below the folder that they are extracted to.
enum EntryName: Sendable {
    static let longest = 1024
    /// Folders on the way and the name itself.
    static let mostParts = 32

    static func isSafe(_ name: BytePath) -> Bool {
        name.count <= longest && name.staysInside && !name.bytes.contains { $0 < 0x20 || $0 == 0x5c }
            && name.bytes.count(where: { $0 == UInt8(ascii: "/") }) < mostParts && name.text != nil
    }

    /// 128 bits of the name's SHA-256: enough to tell a hundred thousand names apart without keeping them.
    static func fingerprint(_ name: BytePath) throws(ContainerError) -> UInt128 {
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: name.bytes.span) }
        return digest[..<16].reduce(0) { $0 << 8 | UInt128($1) }
    }
}
