import SystemIO

/// Decodes entries on workers, and large ones where their results are taken, one at a time.
///
/// A stranger's batches may each be as large as any may be. Side by side they would take as much memory as there are
/// processors and results that wait.
struct EntryDecoding<Result: Sendable>: ~Copyable {
    /// What a worker has made of an entry.
    private enum Outcome: Sendable {
        case done(Result)
        /// Too large to be decoded beside others.
        case large(EntryWork)
    }

    private let pool = Pool(BatchDecoder.init)
    private let body: @Sendable (BatchDecoder, EntryWork, BatchDecoder.Bounds) throws -> Result
    private var workers: OrderedWorkers<EntryWork, Outcome>

    /// - Parameters:
    ///   - jobs: How many processors are used.
    ///   - body: Decodes an entry; it throws `batchTooLarge` for one beyond the bounds.
    init(
        jobs: Int, _ body: @escaping @Sendable (BatchDecoder, EntryWork, BatchDecoder.Bounds) throws -> Result
    ) {
        self.body = body
        let pool = pool
        workers = OrderedWorkers(Processors(count: jobs - 1)) { work in
            do { return .done(try pool.with { decoder in try body(decoder, work, .usual) }) } catch let error
                as VaultError
            {
                guard error.code == .batchTooLarge else { throw error }
                return .large(work)
            }
        }
    }

    /// Starts decoding an entry, and hands over results that are ready, once enough is under way.
    mutating func submit(_ work: EntryWork, _ take: (Result) throws -> Void) async throws {
        let (pool, body) = (pool, body)
        try await workers.submit(work) { try take(try Self.result($0, pool, body)) }
    }

    /// Hands over all results that are left.
    mutating func finish(_ take: (Result) throws -> Void) async throws {
        let (pool, body) = (pool, body)
        try await workers.finish { try take(try Self.result($0, pool, body)) }
    }

    private static func result(
        _ outcome: Outcome, _ pool: Pool<BatchDecoder>,
        _ body: @Sendable (BatchDecoder, EntryWork, BatchDecoder.Bounds) throws -> Result
    ) throws -> Result {
        switch outcome {
        case .done(let result): result
        case .large(let work): try pool.with { decoder in try body(decoder, work, .largest) }
        }
    }
}
