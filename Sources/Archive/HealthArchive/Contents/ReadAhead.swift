package import SampleBatches
package import SystemIO

/// Reads the batches of an export one after the other, and decodes the next ones on other processors meanwhile.
///
/// The first batch is decoded alone: whoever needs only that one does not wait for others.
package struct ReadAhead: Sendable {
    private let export: StoredExport
    private let processors: Processors
    private var rest: ArraySlice<StoredExport.Batch>
    private var cursor = ChainCursor()
    private var pending: [PendingResult<Outcome>] = []
    /// The number of batches that are decoded while another one is used.
    private var depth = 0

    /// The result of decoding a batch.
    private enum Outcome: Sendable {
        case done(SampleBatch)
        /// The stored bytes of a batch that is too large to be decoded beside others.
        case large(SampleBatch.Key, [UInt8])
    }

    /// Starts to read batches.
    ///
    /// - Parameter processors: Where to decode, in addition to the caller's thread.
    package init(
        _ export: StoredExport, _ batches: ArraySlice<StoredExport.Batch>, on processors: Processors
    ) {
        self.export = export
        self.processors = processors
        rest = batches
    }

    /// Returns the next batch; nil after the last.
    ///
    /// - Throws: `VaultError`, `ContainerError`, `SystemError`.
    package mutating func next() async throws -> SampleBatch? {
        while pending.count <= depth, let batch = rest.popFirst() { pending.append(start(batch.key)) }
        guard !pending.isEmpty else { return nil }
        depth = min(depth + 1, processors.mostUnderWay)
        switch try await pending.removeFirst().value(helping: processors) {
        case .done(let batch): return batch
        case .large(let key, let bytes): return try export.decode(bytes, key, within: .largest)
        }
    }

    /// Reads a batch and has it decoded; an error is reported in its turn, after the batches before it.
    private mutating func start(_ key: SampleBatch.Key) -> PendingResult<Outcome> {
        let result = PendingResult<Outcome>()
        do {
            let bytes = try export.contents.bytes(of: key, &cursor)
            DebugLog.log("read a batch of \(bytes.count) stored bytes")
            let export = export
            processors.add { result.finish(Result { try Self.decode(bytes, key, export) }) }
        } catch { result.finish(.failure(error)) }
        return result
    }

    private static func decode(
        _ bytes: [UInt8], _ key: SampleBatch.Key, _ export: StoredExport
    ) throws -> Outcome {
        do { return .done(try export.decode(bytes, key, within: .usual)) } catch let error as VaultError {
            guard error.code == .batchTooLarge else { throw error }
            return .large(key, bytes)
        }
    }
}
