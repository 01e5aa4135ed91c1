import Synchronization

/// Runs pieces of work in parallel and delivers their results in the order of submission, one at a time, without the
/// caller: whoever finishes the work that is due delivers its result, and those after it that are ready.
///
/// Nothing is delivered after a piece of work, or a delivery, that failed.
package struct OrderedDelivery<Work: Sendable, Result: Sendable>: ~Copyable {
    private let body: @Sendable (Work) throws -> Result
    private let queue: DeliveryQueue<Result>
    private let limit: Int
    private let waiting: Int
    private let processors: Processors
    private var pending: [PendingResult<Void>] = []
    private var count = 0

    /// Creates the parts that work, and deliver.
    ///
    /// - Parameters:
    ///   - processors: Where the work runs, in addition to the caller's thread.
    ///   - waiting: How many more pieces may wait for a processor, or their results for delivery. If work comes in bursts,
    ///     this keeps the processors busy in between, but all pieces take memory.
    ///   - body: Does a piece of work.
    ///   - deliver: Receives the results, on any thread, but never on two at a time.
    package init(
        _ processors: Processors, waiting: Int = 0, _ body: @escaping @Sendable (Work) throws -> Result,
        deliver: @escaping @Sendable (Result) throws -> Void
    ) {
        self.body = body
        self.processors = processors
        self.waiting = waiting
        queue = DeliveryQueue(deliver)
        // One more than the processors, so that none of them waits for the caller.
        limit = processors.count + 1 + waiting
    }

    /// Starts a piece of work; once enough is under way, waits until the oldest results have been delivered.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - isLarge: Whether it takes so much memory that no more pieces than needed may wait beside it.
    /// - Throws: What an earlier piece of work, or its delivery, threw.
    package mutating func submit(_ work: Work, isLarge: Bool = false) async throws {
        try queue.check()
        while pending.count >= (isLarge ? limit - waiting : limit) { try await waitForFirst() }
        let (body, queue, number, result) = (body, queue, count, PendingResult<Void>())
        count += 1
        pending.append(result)
        let run = { @Sendable in
            let outcome = Swift.Result {
                try queue.check()
                return try body(work)
            }
            queue.add(outcome, number, result)
        }
        guard processors.count > 0 else {
            run()
            return try await waitForFirst()
        }
        processors.add(run)
    }

    /// Waits until all results have been delivered.
    ///
    /// - Throws: What a piece of work, or its delivery, threw.
    package mutating func finish() async throws {
        while !pending.isEmpty { try await waitForFirst() }
    }

    /// Delivers nothing more, and waits until no work is under way.
    package mutating func drain() async {
        queue.stop()
        while !pending.isEmpty { try? await waitForFirst() }
    }

    private mutating func waitForFirst() async throws {
        try await pending.removeFirst().value(helping: processors)
    }
}

/// Results that wait for those before them.
private final class DeliveryQueue<Result: Sendable>: Sendable {
    private typealias Outcome = Swift.Result<Result, any Error>

    private let deliver: @Sendable (Result) throws -> Void
    private let state = Mutex(State())

    private struct State {
        /// The outcomes that are ready, by the number of their work.
        var ready: [Int: (outcome: Outcome, done: PendingResult<Void>)] = [:]
        /// The number of the work that is due.
        var next = 0
        var isDelivering = false
        var failure: (any Error)?

        mutating func takeNext() -> (outcome: Outcome, done: PendingResult<Void>)? {
            guard let item = ready.removeValue(forKey: next) else {
                isDelivering = false
                return nil
            }
            next += 1
            guard let failure else { return item }
            return (.failure(failure), item.done)
        }
    }

    init(_ deliver: @escaping @Sendable (Result) throws -> Void) { self.deliver = deliver }

    /// Throws what an earlier piece of work, or its delivery, threw.
    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Lets nothing more be delivered.
    func stop() { state.withLock { $0.failure = $0.failure ?? CancellationError() } }

    /// Adds what became of a piece of work, and delivers what is due.
    func add(_ outcome: Swift.Result<Result, any Error>, _ number: Int, _ done: PendingResult<Void>) {
        let begins = state.withLock { state in
            state.ready[number] = (outcome, done)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard begins else { return }
        while let (outcome, done) = state.withLock({ $0.takeNext() }) {
            let delivered = Swift.Result { try deliver(try outcome.get()) }
            if case .failure(let error) = delivered { state.withLock { $0.failure = $0.failure ?? error } }
            done.finish(delivered)
        }
    }
}
