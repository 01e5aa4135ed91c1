import Synchronization

/// The processors that a part of the program may use in addition to its own.
///
/// Everything that can run in parallel goes through one of these, reading ahead and encoding alike, so that no more
/// threads run than were allowed: with one too many, all others may wait for the one that is not running. A caller
/// that has nothing else to do helps.
public final class Processors: Sendable {
    /// Number of processors.
    public let count: Int
    /// How many pieces of work to have under way: one more than the processors, so that none of them waits for the caller,
    /// or is without work while the caller helps; 0 without processors.
    package var mostUnderWay: Int { count > 0 ? count + 1 : 0 }
    private let state = Mutex(State())

    private struct State {
        var urgent: [@Sendable () -> Void] = []
        /// So short that removing the first costs nothing.
        var waiting: [@Sendable () -> Void] = []
        var running = 0

        mutating func next() -> (@Sendable () -> Void)? {
            urgent.popLast() ?? (waiting.isEmpty ? nil : waiting.removeFirst())
        }
    }

    /// Creates processors that run work.
    ///
    /// - Parameter count: Number of processors in addition to the caller's; with 0, work runs only when a caller
    ///   helps.
    public init(count: Int) { self.count = count }

    /// A processor for reading ahead while the caller uses what was read, if there is one to spare: the pieces of a document are read
    /// one after the other.
    package static var toReadAhead: Processors {
        Processors(count: min(1, CurrentProcess.processorCount - 1))
    }

    /// Runs a piece of work as soon as a processor is free.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether it runs before all waiting work.
    ///   - work: The work, which must not wait for other work.
    public func add(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            if isUrgent { state.urgent.append(work) } else { state.waiting.append(work) }
            guard state.running < count else { return false }
            state.running += 1
            return true
        }
        guard starts else { return }
        // A task's fault plan also applies to its work.
        let plan = FaultPlan.current
        Task.detached { FaultPlan.$current.withValue(plan) { self.drainQueue() } }
    }

    /// Runs the next piece of work on the calling thread: an urgent one, or else the one that has waited longest.
    ///
    /// - Returns: Whether there was one.
    public func help() -> Bool {
        guard let work = state.withLock({ $0.next() }) else { return false }
        work()
        return true
    }

    /// Runs waiting work until none is left: a task for each piece would wake a processor each time.
    private func drainQueue() {
        while true {
            let work = state.withLock { state in
                let work = state.next()
                if work == nil { state.running -= 1 }
                return work
            }
            guard let work else { return }
            work()
        }
    }
}

/// The result of work that runs in parallel.
public final class PendingResult<Success: Sendable>: Sendable {
    private let state = Mutex(State.pending)

    private enum State {
        case pending
        case awaited(CheckedContinuation<Void, Never>)
        case done(Result<Success, any Error>)
    }

    /// Creates a pending result.
    public init() {}

    /// Sets the result and resumes the task that waits for it.
    public func finish(_ result: Result<Success, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .done(result) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }

    /// Returns the result, running other work until it is available.
    ///
    /// - Throws: What the work threw.
    public func value(helping processors: Processors) async throws -> Success {
        while true {
            if case .done(let result) = state.withLock({ $0 }) { return try result.get() }
            if !processors.help() { await wait() }
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard case .pending = state else { return true }
                state = .awaited(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
