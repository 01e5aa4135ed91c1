package import SystemIO

/// Where an export goes.
///
/// Entries come in their final order; nothing bears its final name before `finish`.
package protocol ExportDestination: AnyObject {
    /// How entries are written here.
    var form: ExportForm { get }
    /// Bytes written so far.
    var size: Int { get }

    /// Adds an entry, or the next piece of a plain file.
    ///
    /// - Returns: false for a batch that was refused, while others may be taken.
    func add(_ entry: EncodedEntry) throws -> Bool
    /// Closes the file whose pieces were added; it may have had none.
    func endFile(_ path: BytePath) throws
    /// Writes the manifest, and gives everything its final name.
    func finish(manifest: [UInt8]) async throws
    /// Removes what was written.
    func abandon()
    /// Leaves what was written for a later run to go on with.
    ///
    /// - Returns: false where there is nothing worth it.
    func suspend() async -> Bool
}

/// A destination in which small entries rest together.
package protocol BundleDestination: ExportDestination {
    /// Adds the entries of a bundle.
    func add(_ bundle: EncodedBundle) throws
}
