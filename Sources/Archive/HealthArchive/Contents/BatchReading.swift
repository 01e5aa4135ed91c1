package import SampleBatches
package import SystemIO

extension StoredExport {
    /// The stored bytes of a batch.
    private struct StoredBatch: Sendable {
        let key: SampleBatch.Key
        let bytes: [UInt8]
    }

    /// Reads batches one after the other, decodes them on workers, and passes on the results in order.
    ///
    /// - Parameters:
    ///   - batches: The batches.
    ///   - processors: Where to decode, in addition to the caller's thread.
    ///   - transform: Makes a result of a batch, on any thread, with a decoder that nothing else uses meanwhile.
    ///   - use: Receives the results.
    ///   - didRead: Called with the key of each batch and its stored length, to show the progress; throws to stop.
    package func read<Result: Sendable>(
        _ batches: some Sequence<Batch>, on processors: Processors,
        _ transform: @escaping @Sendable (SampleBatch, BatchDecoder) throws -> Result,
        use: (Result) async throws -> Void,
        didRead: (_ key: SampleBatch.Key, _ length: Int) throws -> Void
    ) async throws {
        let contents = contents
        let decoding = EntryDecoding<StoredBatch, Result>(on: processors) { decoder, stored, bounds in
            try transform(try contents.batch(stored.bytes, stored.key, decoder, within: bounds), decoder)
        }
        var cursor = ChainCursor()
        var length = 0
        try await decoding.run(batches) { batch in
            let bytes = try contents.bytes(of: batch.key, &cursor)
            length = bytes.count
            return StoredBatch(key: batch.key, bytes: bytes)
        } use: {
            try await use($0)
        } didRead: {
            try didRead($0.key, length)
        }
    }
}
