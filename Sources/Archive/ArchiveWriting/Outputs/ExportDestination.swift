package import ArchiveManifest
package import SystemIO

/// The destination of an export.
///
/// Entries are added in their final order; nothing has its final name before `finish`.
package protocol ExportDestination: AnyObject {
    /// The form in which entries are written.
    var form: ExportForm { get }
    /// The number of bytes written so far.
    var size: Int { get }

    /// Adds an entry, or the next piece of a plain file.
    ///
    /// - Returns: false if the batch was refused, but further entries may be accepted.
    func add(_ entry: EncodedEntry) throws -> Bool
    /// Closes the file whose pieces were added; it may have had none.
    func endFile(_ path: BytePath) throws
    /// Writes the manifest, and gives everything its final name.
    func finish(manifest: [UInt8]) async throws
    /// Removes what was written.
    func abandon()
    /// Keeps what was written, so that a later run can continue it.
    ///
    /// - Returns: false if there is nothing worth keeping.
    func suspend(after failure: VaultError) async -> Bool
}

/// A destination that stores small entries together.
package protocol BundleDestination: ExportDestination {
    /// Adds the entries of a bundle.
    func add(_ bundle: EncodedBundle) throws
}
