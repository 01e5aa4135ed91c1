public import SystemIO

/// An archive of several with which something could not be done, and why not.
public struct ArchiveFailure: Sendable, Equatable {
    /// The path of the archive.
    public let path: BytePath
    /// What prevented it.
    public let error: VaultError

    /// Creates a failure from any error.
    package init(_ path: BytePath, _ error: any Error) {
        self.path = path
        self.error = VaultError.wrapping(error, path: path)
    }
}
