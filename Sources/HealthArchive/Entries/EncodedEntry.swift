package import SystemIO
package import VaultContainer

/// The forms in which batches and files are written.
package enum ExportForm: Sendable {
    /// Columns, compressed, for a container.
    case stored
    /// NDJSON and the files as they are, for a plain folder.
    case plain
}

/// An entry that is ready to be written.
package struct EncodedEntry: Sendable {
    package let name: BytePath
    package let bytes: [UInt8]
    let sha256: [UInt8]
    /// The batch in the entry; nil for a piece of a file.
    package var batch: BatchFacts?

    /// Makes an entry, whose digest must be that of its bytes.
    package init(name: BytePath, bytes: [UInt8], sha256: [UInt8], batch: BatchFacts? = nil) {
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
        self.batch = batch
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
