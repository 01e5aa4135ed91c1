import ByteSpans
public import SystemIO
import VaultContainer
import VaultCrypto

/// What tells a finished export from any other: the identifier of an archive, the digest of a folder's manifest.
public enum OutputIdentity: Sendable {
    /// The identity of what lies at a path; nil where that is no finished export.
    public static func of(_ path: BytePath, isEncrypted: Bool) -> String? {
        isEncrypted ? ofContainer(path) : digest(path / EntryPath.manifest)
    }

    /// What the identity of an unfinished output will be once it has its name: a container has one from its start, a
    /// folder gets its with the manifest.
    package static func expected(ofTarget target: BytePath, isEncrypted: Bool, _ manifest: [UInt8]) -> String?
    {
        if isEncrypted { return UnfinishedOutput.identity(ofTarget: target, isEncrypted: true) }
        return (try? SHA256.digest(of: manifest.span)).map { Hexadecimal.text($0) }
    }

    static func ofContainer(_ path: BytePath) -> String? {
        guard (try? Target.isFile(path)) == true else { return nil }
        return CleartextHeader.vaultIdentifier(of: path)
    }

    static func digest(_ path: BytePath) -> String? {
        guard let file = try? FileDescriptor(opening: path, .read), let size = try? file.status().size,
            let bytes = try? file.bytes(at: 0, count: size),
            let digest = try? SHA256.digest(of: bytes.span)
        else { return nil }
        return Hexadecimal.text(digest)
    }
}
