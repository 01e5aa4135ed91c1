package import SystemIO

/// The one way to read many entries: decoding runs on workers, except for large entries, which are decoded one at a time when their results are used.
///
/// Each batch of an untrusted archive may have the largest allowed size. Decoded concurrently, they would take memory
/// in proportion to the number of processors and of waiting results.
package struct EntryDecoding<Work: Sendable, Result: Sendable>: ~Copyable {
    /// The result of a worker.
    private enum Outcome: Sendable {
        case done(Result)
        /// The entry is too large to be decoded alongside others.
        case large(Work)
    }

    private let pool = Pool(BatchDecoder.init)
    private let body: @Sendable (BatchDecoder, Work, BatchDecoder.Bounds) throws -> Result
    private var workers: OrderedWorkers<Work, Outcome>

    /// Makes the workers.
    ///
    /// - Parameters:
    ///   - jobs: The number of threads.
    ///   - body: Decodes an entry; throws `batchTooLarge` for one that exceeds the bounds.
    package init(
        jobs: Int, _ body: @escaping @Sendable (BatchDecoder, Work, BatchDecoder.Bounds) throws -> Result
    ) {
        self.init(on: Processors(count: jobs - 1), body)
    }

    /// Makes workers that share processors with others.
    package init(
        on processors: Processors,
        _ body: @escaping @Sendable (BatchDecoder, Work, BatchDecoder.Bounds) throws -> Result
    ) {
        self.body = body
        let pool = pool
        workers = OrderedWorkers(processors) { work in
            do { return .done(try pool.with { decoder in try body(decoder, work, .usual) }) } catch let error
                as VaultError
            {
                guard error.code == .batchTooLarge else { throw error }
                return .large(work)
            }
        }
    }

    /// Reads items one after the other, decodes them, and passes on the results in the order of the items.
    ///
    /// Nothing is being decoded any more when it returns or throws.
    ///
    /// - Parameters:
    ///   - items: What is read.
    ///   - read: Reads an item.
    ///   - use: Receives the results.
    ///   - didRead: Called after each item, to show the progress; throws to stop.
    package consuming func run<Item>(
        _ items: some Sequence<Item>, read: (Item) throws -> Work, use: (Result) async throws -> Void,
        didRead: (Item) throws -> Void
    ) async throws {
        let (pool, body) = (pool, body)
        var count = 0
        do {
            for item in items {
                count += 1
                try await workers.submit(try read(item)) { try await use(try Self.result($0, pool, body)) }
                try didRead(item)
            }
            try await workers.finish { try await use(try Self.result($0, pool, body)) }
            DebugLog.log("decoded \(count) entries or windows")
        } catch {
            await workers.drain()
            throw error
        }
    }

    private static func result(
        _ outcome: Outcome, _ pool: Pool<BatchDecoder>,
        _ body: @Sendable (BatchDecoder, Work, BatchDecoder.Bounds) throws -> Result
    ) throws -> Result {
        switch outcome {
        case .done(let result): result
        case .large(let work): try pool.with { decoder in try body(decoder, work, .largest) }
        }
    }
}
