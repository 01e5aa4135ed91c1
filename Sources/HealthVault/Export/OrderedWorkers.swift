/// Does pieces of work side by side and gives their results in the order in which the work came, so that what is
/// written does not depend on the number of processors.
struct OrderedWorkers<Work: Sendable, Result: Sendable>: ~Copyable {
    private let body: @Sendable (Work) throws -> Result
    private let limit: Int
    private var running: [Task<Result, any Error>] = []

    /// - Parameters:
    ///   - jobs: How many processors may be used, that of the caller included.
    ///   - waiting: How many more pieces may wait for a processor, or their results for the caller: where work comes in
    ///     bursts, none is idle between them, but all of them take memory.
    ///   - body: Does a piece of work.
    init(jobs: Int, waiting: Int = 0, _ body: @escaping @Sendable (Work) throws -> Result) {
        self.body = body
        // One more than there are processors for, so that none waits for the caller.
        limit = jobs > 1 ? jobs + waiting : 0
    }

    deinit {
        for task in running { task.cancel() }
    }

    /// Starts a piece of work and hands over results that are ready, once enough is under way.
    mutating func submit(_ work: Work, _ take: (Result) throws -> Void) async throws {
        guard limit > 0 else {
            try take(try body(work))
            return
        }
        while running.count >= limit { try await takeFirst(take) }
        let body = body
        running.append(Task.detached { try body(work) })
    }

    /// Hands over all results that are left.
    mutating func finish(_ take: (Result) throws -> Void) async throws {
        while !running.isEmpty { try await takeFirst(take) }
    }

    private mutating func takeFirst(_ take: (Result) throws -> Void) async throws {
        let task = running.removeFirst()
        try take(try await task.value)
    }
}
