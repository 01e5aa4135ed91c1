package import HealthArchive
package import SystemIO
package import VaultContainer
package import VaultCrypto

/// The forms in which batches and files are written.
package enum ExportForm: Sendable {
    /// Columns, compressed, for a container.
    case stored
    /// NDJSON and unchanged files, for a plain folder.
    case plain
}

/// An entry that is ready to be written.
package struct EncodedEntry: Sendable {
    package let name: BytePath
    package let bytes: [UInt8]
    let sha256: [UInt8]
    /// The outcome of writing it as a separate file; nil if that has not been done.
    let outcome: Outcome?
    /// The batch in the entry; nil for a piece of a file.
    package var batch: BatchFacts?

    /// The outcome of writing a file.
    enum Outcome: Sendable {
        /// It was written; `kept` of its `size` bytes were already there.
        case written(size: Int, kept: Int)
        /// The system refused.
        case refused(SystemError)
    }

    /// Writes the lines of a batch as a separate file; the entry is without them.
    ///
    /// - Parameter lines: Writes the lines piece by piece, and throws only what that throws.
    /// - Throws: `VaultError` if the path leads outside the folder.
    package init(
        to files: FolderFiles, as name: BytePath, batch: BatchFacts? = nil,
        writing lines: (_ write: (Span<UInt8>) throws -> Void) throws -> Void
    ) throws {
        // Even a forged archive must not write outside the folder.
        guard name.staysInside else { throw VaultError(.manifestMismatch, path: name) }
        self.name = name
        self.batch = batch
        bytes = []
        do {
            var file = try files.newFile(name)
            try lines { try file.write($0) }
            let written = try file.finish()
            sha256 = written.sha256
            outcome = .written(size: written.size, kept: written.kept)
        } catch let error as SystemError {
            sha256 = []
            outcome = .refused(error)
        }
    }

    /// Makes an entry of the bytes that a plain folder contains.
    package init(_ plain: EntryBytes) throws(CryptoError) {
        self.init(name: plain.name, bytes: plain.bytes, sha256: try SHA256.digest(of: plain.bytes.span))
    }

    /// Makes an entry, whose digest must be that of its bytes.
    package init(name: BytePath, bytes: [UInt8], sha256: [UInt8], batch: BatchFacts? = nil) {
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
        self.batch = batch
        outcome = nil
    }
}

/// Entries that are written as one, with the facts about the batches among them.
package struct EncodedBundle: Sendable {
    let bundle: ContainerBundle
    /// For each entry, the batch that it contains; nil for a file.
    package let batches: [BatchFacts?]

    /// Makes a bundle with the batch of each of its entries.
    package init(bundle: ContainerBundle, batches: [BatchFacts?]) {
        self.bundle = bundle
        self.batches = batches
    }
}
