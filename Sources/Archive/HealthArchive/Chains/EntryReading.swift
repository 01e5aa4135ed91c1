package import VaultContainer

extension ContainerChain {
    /// Reads entries one after the other, decodes them on workers, and passes on the results in order.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - jobs: The number of threads.
    ///   - decode: Decodes an entry, on any thread; throws `batchTooLarge` for one that exceeds the bounds.
    ///   - use: Receives the results.
    ///   - didRead: Called after each entry, to show the progress; throws to stop.
    package func read<Result: Sendable>(
        _ entries: [ContainerEntry], jobs: Int,
        _ decode: @escaping @Sendable (BatchDecoder, EntryBytes, BatchDecoder.Bounds) throws -> Result,
        use: (Result) async throws -> Void, didRead: (ContainerEntry) throws -> Void
    ) async throws {
        // If most entries are read, those that share a segment are read together, so that it is decrypted only once.
        let sharesSegments = entries.count > self.entries.count / 2
        let decoding = EntryDecoding<EntryBytes, Result>(jobs: jobs, decode)
        var cursor = ChainCursor()
        try await decoding.run(entries) { entry in
            let bytes =
                sharesSegments ? try data(of: entry, &cursor) : try data(ofSingle: entry, &cursor)
            return EntryBytes(name: entry.name, bytes: bytes)
        } use: {
            try await use($0)
        } didRead: {
            try didRead($0)
        }
    }
}
