package import HealthArchive
package import SystemIO

/// The destination of an export.
///
/// Entries are added in their final order; nothing has its final name before `finish`.
package protocol ExportDestination: AnyObject {
    /// The form in which entries are written.
    var form: ExportForm { get }
    /// The number of bytes written so far.
    var size: Int { get }
    /// The number of bytes that an interrupted run had written.
    var resumedBytes: Int { get }
    /// The duration of the key derivation, in seconds; 0 if there was none.
    var keyDerivationSeconds: Double { get }
    /// The output that was replaced, if it could not be removed; nil otherwise.
    var leftBehind: BytePath? { get }
    /// Writes the files of batches from any thread; nil if batches are only added in order.
    var batchFiles: FolderFiles? { get }
    /// Accepts small entries together; nil if each entry is added on its own.
    var bundles: (any BundleDestination)? { get }

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

extension ExportDestination {
    package var resumedBytes: Int { 0 }
    package var keyDerivationSeconds: Double { 0 }
    package var leftBehind: BytePath? { nil }
    package var batchFiles: FolderFiles? { nil }
    package var bundles: (any BundleDestination)? { nil }
}

/// A destination that stores small entries together, and need not be told where a file ends.
package protocol BundleDestination: ExportDestination {
    /// Adds the entries of a bundle.
    func add(_ bundle: EncodedBundle) throws
}
