import SystemIO
import VaultCrypto

/// Which names entries may have: relative paths that stay below the folder that they are extracted to.
enum EntryName: Sendable {
    static let longest = 1024

    static func isSafe(_ name: String) -> Bool {
        name.utf8.count <= longest && RelativePath.staysInside(name)
            && !name.utf8.contains { $0 < 0x20 || $0 == 0x5c }
    }

    /// 128 bits of the name's SHA-256: enough to tell a hundred thousand names apart without keeping them.
    static func fingerprint(_ name: String) throws(ContainerError) -> UInt128 {
        let bytes = Array(name.utf8)
        let digest = try crypto { () throws(CryptoError) in try SHA256.digest(of: bytes.span) }
        return digest[..<16].reduce(0) { $0 << 8 | UInt128($1) }
    }
}
