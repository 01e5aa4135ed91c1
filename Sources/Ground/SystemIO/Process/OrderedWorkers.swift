import Synchronization

/// Runs pieces of work in parallel and returns their results in the order of submission, so that the output does
/// not depend on the number of processors.
package struct OrderedWorkers<Work: Sendable, Result: Sendable>: ~Copyable {
    private let body: @Sendable (Work) throws -> Result
    private let limit: Int
    private let processors: Processors
    private var pending: [PendingResult<Result>] = []

    /// Creates workers.
    ///
    /// - Parameters:
    ///   - processors: Where the work runs, in addition to the caller's thread.
    ///   - body: Does a piece of work.
    package init(_ processors: Processors, _ body: @escaping @Sendable (Work) throws -> Result) {
        self.body = body
        self.processors = processors
        limit = processors.mostUnderWay
    }

    /// Starts a piece of work; once enough is under way, waits for the oldest results and passes them to `deliver`.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - deliver: Receives the results.
    package mutating func submit(_ work: Work, _ deliver: (Result) async throws -> Void) async throws {
        guard limit > 0 else {
            try await deliver(try body(work))
            return
        }
        while pending.count >= limit { try await deliverFirst(deliver) }
        let (body, result) = (body, PendingResult<Result>())
        pending.append(result)
        processors.add { result.finish(Swift.Result { try body(work) }) }
    }

    /// Waits for the remaining results and passes them to `deliver`.
    package mutating func finish(_ deliver: (Result) async throws -> Void) async throws {
        while !pending.isEmpty { try await deliverFirst(deliver) }
    }

    /// Waits for the remaining work and discards its results.
    package mutating func drain() async {
        while !pending.isEmpty { _ = try? await pending.removeFirst().value(helping: processors) }
    }

    private mutating func deliverFirst(_ deliver: (Result) async throws -> Void) async throws {
        try await deliver(try await pending.removeFirst().value(helping: processors))
    }
}

/// Reusable objects with their own buffers; creates only as many as are in use at the same time.
package final class Pool<Worker: Sendable>: Sendable {
    private let idle = Mutex<[Worker]>([])
    private let make: @Sendable () throws -> Worker

    package init(_ make: @escaping @Sendable () throws -> Worker) { self.make = make }

    /// Calls `body` with an object that nothing else uses meanwhile.
    package func with<Result>(_ body: (Worker) throws -> Result) throws -> Result {
        let worker = try idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(worker) } }
        return try body(worker)
    }
}
