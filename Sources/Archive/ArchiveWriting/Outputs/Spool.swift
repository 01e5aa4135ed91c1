import ByteText
package import HealthArchive
package import SystemIO
import VaultCrypto

/// A temporary file without a name that contains the stored batches and files of a source.
///
/// Formats use it if they need the batches in another order than that of the source, or read them more than once.
///
/// It is encrypted with a random key that is never written, so it cannot be read once this process has ended, however
/// it ends. Each entry is sealed with AES-256-GCM, with its number as the nonce.
package final class Spool: ExportDestination {
    package let form = ExportForm.stored
    package private(set) var size = 0
    private let file: SpoolFile
    private var cipher: AES256GCM
    private var places: [BytePath: [SpooledPlace]] = [:]
    private var count: UInt64 = 0
    private var manifestText: [UInt8] = []

    /// Makes the file in a folder, and removes its name.
    ///
    /// - Throws: `SystemError`, `CryptoError`.
    package init(in folder: OpenFolder) throws {
        file = try SpoolFile(in: folder)
        cipher = try file.cipher()
    }

    package func add(_ entry: EncodedEntry) throws -> Bool {
        // No two frames are sealed with one number, even if the first could not be written.
        defer { count += 1 }
        let place = try file.write(
            entry.bytes, number: count, at: size,
            positions: entry.batch.map { $0.firstPosition...$0.lastPosition },
            &cipher)
        size += place.length
        let owner = EntryPath.pieceOwner(entry.name) ?? entry.name
        places[owner, default: []].append(place)
        return true
    }

    package func endFile(_ path: BytePath) throws {}

    /// Keeps the manifest; a spool does not get a final name.
    package func finish(manifest: [UInt8]) throws { manifestText = manifest }

    package func abandon() {}

    package func suspend(after failure: VaultError) -> Bool { false }

    /// Returns the spooled export; nothing can be added afterwards.
    ///
    /// - Parameter path: The path of the source, for messages.
    /// - Throws: `SystemError`, `CryptoError`, `VaultError`.
    package func finished(_ path: BytePath) throws -> StoredExport {
        try StoredExport(path, SpoolContents(file, places, manifestText))
    }
}
