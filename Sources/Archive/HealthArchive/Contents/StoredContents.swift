package import SampleBatches
package import SystemIO

/// The batches and files of a finished export, wherever they are stored, read on demand.
package protocol StoredContents: Sendable {
    /// The text of the manifest.
    ///
    /// - Throws: `VaultError.noManifest` if there is none.
    func manifest() throws -> [UInt8]

    /// Whether any change since it was written would be detected.
    var isAuthentic: Bool { get }

    /// The upper limit on the number of batches; a manifest that lists more is wrong.
    var batchLimit: Int { get }

    /// Returns the length of a batch as it is stored, in bytes; 0 if it is unknown.
    func length(of key: SampleBatch.Key) -> Int

    /// Returns the positions of the first and the last row of a batch; nil if they are not known without reading it.
    func positions(of key: SampleBatch.Key) -> ClosedRange<Int>?

    /// Returns the bytes of a batch as they are stored.
    ///
    /// - Parameter cursor: The position of a reader of several batches.
    /// - Throws: `VaultError`, with `manifestMismatch` if there is no such batch.
    func bytes(of key: SampleBatch.Key, _ cursor: inout ChainCursor) throws -> [UInt8]

    /// Decodes the bytes of a batch.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` if the batch exceeds the bounds.
    func batch(
        _ bytes: [UInt8], _ key: SampleBatch.Key, _ decoder: BatchDecoder, within bounds: BatchDecoder.Bounds
    ) throws -> SampleBatch

    /// The text before the root element of the document; empty if there is none.
    func prologue() throws -> [UInt8]

    /// Opens a side file.
    ///
    /// - Parameter path: Its path in the export.
    /// - Throws: `VaultError`, with `manifestMismatch` if there is no such file.
    func pieces(ofFileAt path: BytePath) throws -> StoredPieces
}

/// The pieces of a side file, read one after the other.
package struct StoredPieces {
    private let read: () throws -> [UInt8]?

    package init(_ read: @escaping () throws -> [UInt8]?) { self.read = read }

    /// Returns the next piece; nil after the last.
    package func next() throws -> [UInt8]? { try read() }
}

extension StoredContents {
    /// Reads a side file piece by piece.
    ///
    /// - Parameter path: Its path in the export.
    /// - Throws: `VaultError`, and what `body` throws.
    package func forEachPiece(ofFileAt path: BytePath, _ body: ([UInt8]) throws -> Void) throws {
        let pieces = try pieces(ofFileAt: path)
        while let piece = try pieces.next() { try body(piece) }
    }
}
