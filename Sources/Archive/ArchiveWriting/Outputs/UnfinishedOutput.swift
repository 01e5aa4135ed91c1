public import HealthArchive
public import SystemIO
import VaultContainer
import VaultCrypto

/// The unfinished output that an interrupted export left beside its target.
public enum UnfinishedOutput: Sendable {
    /// Returns the path that an unfinished output has, whether or not there is one.
    public static func path(forTarget target: BytePath, isEncrypted: Bool) -> BytePath {
        target + (isEncrypted ? ContainerFormat.temporarySuffix : EntryPath.unfinishedSuffix)
    }

    /// Returns the path of the unfinished output; nil if there is none.
    public static func path(ofTarget target: BytePath, isEncrypted: Bool) -> BytePath? {
        let path = path(forTarget: target, isEncrypted: isEncrypted)
        return (try? Target.exists(path)) == true ? path : nil
    }

    /// Returns the identity of an unfinished output: the identifier of an archive, or the digest of a folder's mark.
    public static func identity(ofTarget target: BytePath, isEncrypted: Bool) -> String? {
        guard let path = path(ofTarget: target, isEncrypted: isEncrypted) else { return nil }
        if isEncrypted { return OutputIdentity.ofContainer(path) }
        return OutputIdentity.digest(path / EntryPath.unfinishedMark)
    }

    /// Returns whether an unfinished archive has no passphrase yet, as in the first second of an export.
    public static func opensForNobody(ofTarget target: BytePath) -> Bool {
        do throws(ContainerError) {
            _ = try CleartextHeader(of: path(forTarget: target, isEncrypted: true))
            return false
        } catch { return error.code == .incomplete }
    }

    /// Returns whether nothing is in an unfinished archive but zeros, as after a power failure on a FAT file system.
    public static func isBlank(ofTarget target: BytePath) -> Bool {
        let path = path(forTarget: target, isEncrypted: true)
        guard let file = try? FileDescriptor(opening: path, .read) else { return false }
        return (try? Target.isBlank(file)) == true
    }

    /// Removes the unfinished output, if it has the given identity, or is blank, and no process is writing it.
    ///
    /// - Returns: false if something else is there, which is left alone.
    /// - Throws: `VaultError.unfinishedExists` if it was not left by an export, `VaultError.io`.
    public static func remove(
        ofTarget target: BytePath, isEncrypted: Bool, identity: String?
    ) throws(VaultError) -> Bool {
        guard let path = path(ofTarget: target, isEncrypted: isEncrypted) else { return true }
        let found = Self.identity(ofTarget: target, isEncrypted: isEncrypted)
        let isBlank = found == nil && isEncrypted && isBlank(ofTarget: target)
        guard isBlank || found != nil && found == identity else { return false }
        do {
            if isEncrypted {
                try Target.clearUnfinished(file: path)
            } else {
                try Target.clearUnfinished(folderOf: target, in: OpenFolder(holding: target))
            }
            return true
        } catch { throw VaultError.wrapping(error, path: path) }
    }
}
