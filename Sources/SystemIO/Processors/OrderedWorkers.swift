/// Does pieces of work side by side and gives their results in the order in which the work came, so that what is
/// written does not depend on the number of processors.
package struct OrderedWorkers<Work: Sendable, Result: Sendable>: ~Copyable {
    private let body: @Sendable (Work) throws -> Result
    private let limit: Int
    private let processors: Processors
    private var pending: [PendingResult<Result>] = []

    /// - Parameters:
    ///   - processors: Where the work is done, beside what the caller itself does.
    ///   - waiting: How many more pieces may wait for a processor, or their results for the caller: where work comes in
    ///     bursts, none is idle between them, but all of them take memory.
    ///   - body: Does a piece of work.
    package init(
        _ processors: Processors, waiting: Int = 0, _ body: @escaping @Sendable (Work) throws -> Result
    ) {
        self.body = body
        self.processors = processors
        // One more than there are processors for, so that none waits for the caller.
        limit = processors.count > 0 ? processors.count + 1 + waiting : 0
    }

    /// Starts a piece of work and hands over results that are ready, once enough is under way.
    package mutating func submit(_ work: Work, _ take: (Result) throws -> Void) async throws {
        guard limit > 0 else {
            try take(try body(work))
            return
        }
        while pending.count >= limit { try await takeFirst(take) }
        let (body, result) = (body, PendingResult<Result>())
        pending.append(result)
        processors.add { result.finish(Swift.Result { try body(work) }) }
    }

    /// Hands over all results that are left.
    package mutating func finish(_ take: (Result) throws -> Void) async throws {
        while !pending.isEmpty { try await takeFirst(take) }
    }

    private mutating func takeFirst(_ take: (Result) throws -> Void) async throws {
        try take(try await pending.removeFirst().value(helping: processors))
    }
}
