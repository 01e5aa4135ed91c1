public import SystemIO
import VaultContainer
import VaultCrypto

/// What an export that did not come to its end has left beside its target.
public enum UnfinishedOutput: Sendable {
    /// The path of what is left; nil where there is nothing.
    public static func path(ofTarget target: BytePath, isEncrypted: Bool) -> BytePath? {
        let path =
            target + (isEncrypted ? ContainerWriter.temporarySuffix : EntryPath.unfinishedSuffix)
        return (try? Target.exists(path)) == true ? path : nil
    }

    /// What tells one unfinished output from another: the identifier of an archive, the digest of a folder's mark.
    public static func identity(ofTarget target: BytePath, isEncrypted: Bool) -> String? {
        guard let path = path(ofTarget: target, isEncrypted: isEncrypted) else { return nil }
        if isEncrypted { return OutputIdentity.ofContainer(path) }
        return OutputIdentity.digest(path / EntryPath.unfinishedMark)
    }

    /// Removes what is left, if nobody is writing it and it is what its identity says.
    ///
    /// - Returns: false where something else is there, which is left alone.
    /// - Throws: `VaultError.unfinishedExists` for what no export has left, `VaultError.io`.
    public static func remove(
        ofTarget target: BytePath, isEncrypted: Bool, identity: String?
    ) throws(VaultError) -> Bool {
        guard let path = path(ofTarget: target, isEncrypted: isEncrypted) else { return true }
        guard let identity, Self.identity(ofTarget: target, isEncrypted: isEncrypted) == identity else {
            return false
        }
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
