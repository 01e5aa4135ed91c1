import ArchiveManifest
package import SystemIO

/// A decoder that runs on workers, except for large entries, which it decodes one at a time when results are used.
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

    /// Starts decoding an entry, and passes on finished results once enough entries are in progress.
    package mutating func submit(_ work: Work, _ take: (Result) throws -> Void) async throws {
        let (pool, body) = (pool, body)
        try await workers.submit(work) { try take(try Self.result($0, pool, body)) }
    }

    /// Passes on all remaining results.
    package mutating func finish(_ take: (Result) throws -> Void) async throws {
        let (pool, body) = (pool, body)
        try await workers.finish { try take(try Self.result($0, pool, body)) }
    }

    /// Waits until no entry is being decoded, and drops the results.
    package mutating func drain() async { await workers.drain() }

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
