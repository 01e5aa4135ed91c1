package import SystemIO
package import VaultContainer

/// How batches and files are written.
package enum ExportForm: Sendable {
    /// Columns, compressed, for a container.
    case stored
    /// NDJSON and the files as they are, for a plain folder.
    case plain
}

/// An entry as it is going to be written.
package struct EncodedEntry: Sendable {
    package let name: BytePath
    let bytes: [UInt8]
    let sha256: [UInt8]
    /// The batch that it holds, nil for a piece of a file.
    package var batch: BatchFacts?

    /// An entry; its digest is that of its bytes.
    package init(name: BytePath, bytes: [UInt8], sha256: [UInt8], batch: BatchFacts? = nil) {
        self.name = name
        self.bytes = bytes
        self.sha256 = sha256
        self.batch = batch
    }
}

/// Entries that are written as one, and what is known of the batches among them.
package struct EncodedBundle: Sendable {
    let bundle: ContainerBundle
    /// For each entry the batch that it holds, nil for a file.
    package let batches: [BatchFacts?]

    /// A bundle, and the batch of each of its entries.
    package init(bundle: ContainerBundle, batches: [BatchFacts?]) {
        self.bundle = bundle
        self.batches = batches
    }
}
