import SystemIO
import VaultContainer

/// What an export that did not come to its end has left beside its target.
public enum UnfinishedOutput: Sendable {
    /// The path of what is left; nil where there is nothing.
    public static func path(ofTarget target: String, isEncrypted: Bool) -> String? {
        let path =
            target + (isEncrypted ? ContainerWriter.temporarySuffix : Target.unfinishedSuffix)
        return (try? Target.exists(path)) == true ? path : nil
    }

    /// Removes what is left, if nobody is writing it and it was left by an export.
    ///
    /// - Throws: `VaultError.unfinishedExists` for anything else, `VaultError.io`.
    public static func remove(ofTarget target: String, isEncrypted: Bool) throws(VaultError) {
        guard let path = path(ofTarget: target, isEncrypted: isEncrypted) else { return }
        do {
            if isEncrypted {
                try Target.clearUnfinished(file: path)
            } else {
                try Target.clearUnfinished(folder: path, of: target)
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }
}
