import ByteText
import HealthArchive
public import SystemIO
import VaultContainer
import VaultCrypto

/// The identity of a finished export: the identifier of an archive, or the digest of a folder's manifest.
public enum OutputIdentity: Sendable {
    /// Returns the identity of the export at a path; nil if there is no finished one.
    public static func of(_ path: BytePath, isEncrypted: Bool) -> String? {
        isEncrypted ? ofContainer(path) : digest(path / EntryPath.manifest)
    }

    /// Returns the identity that an unfinished output will have under its final name.
    ///
    /// A container has one from the start; a folder gets one with the manifest.
    package static func expected(ofTarget target: BytePath, isEncrypted: Bool, _ manifest: [UInt8]) -> String?
    {
        if isEncrypted { return UnfinishedOutput.identity(ofTarget: target, isEncrypted: true) }
        return (try? SHA256.digest(of: manifest.span)).map { Hexadecimal.text($0) }
    }

    static func ofContainer(_ path: BytePath) -> String? {
        guard let path = try? VolumeName.start(of: path), (try? Target.isFile(path)) == true else {
            return nil
        }
        return CleartextHeader.identifier(of: path)
    }

    static func digest(_ path: BytePath) -> String? {
        guard let file = try? FileDescriptor(opening: path, .read), let size = try? file.status().size,
            size <= ContainerFormat.largestEntry, let bytes = try? file.bytes(at: 0, count: size),
            let digest = try? SHA256.digest(of: bytes.span)
        else { return nil }
        return Hexadecimal.text(digest)
    }
}
