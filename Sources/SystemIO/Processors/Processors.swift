import Synchronization

/// The processors that a piece of the program may use beside the one it runs on.
///
/// Everything that can be done beside something else goes through one of these, reading ahead and encoding alike, so
/// that never more threads want to run than were allowed: with one more than there are processors, the one that all
/// others wait for is the one that waits. Who has nothing else to do helps.
public final class Processors: Sendable {
    /// How many there are.
    public let count: Int
    private let state = Mutex(State())

    private struct State {
        var urgent: [@Sendable () -> Void] = []
        /// Few enough wait that moving them up costs nothing.
        var waiting: [@Sendable () -> Void] = []
        var running = 0

        mutating func take() -> (@Sendable () -> Void)? {
            urgent.popLast() ?? (waiting.isEmpty ? nil : waiting.removeFirst())
        }
    }

    /// - Parameter count: How many processors beside the caller's; with none, work is done when somebody helps.
    public init(count: Int) { self.count = count }

    /// Has a piece of work done as soon as a processor is free.
    ///
    /// - Parameters:
    ///   - isUrgent: It goes before everything that waits.
    ///   - work: What is to be done; it must not wait for other work.
    public func add(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            if isUrgent { state.urgent.append(work) } else { state.waiting.append(work) }
            guard state.running < count else { return false }
            state.running += 1
            return true
        }
        if starts { Task.detached { self.workOff() } }
    }

    /// Does the piece of work that is next, here and now: an urgent one, or else the one that has waited longest.
    ///
    /// - Returns: false where none waits.
    public func help() -> Bool {
        guard let work = state.withLock({ $0.take() }) else { return false }
        work()
        return true
    }

    /// Does what waits until nothing does: a task for each piece would wake a processor each time.
    private func workOff() {
        while true {
            let work = state.withLock { state in
                let work = state.take()
                if work == nil { state.running -= 1 }
                return work
            }
            guard let work else { return }
            work()
        }
    }
}

/// The result of work that is done beside something else.
public final class PendingResult<Success: Sendable>: Sendable {
    private let state = Mutex(State.pending)

    private enum State {
        case pending
        case awaited(CheckedContinuation<Void, Never>)
        case done(Result<Success, any Error>)
    }

    /// Nothing yet.
    public init() {}

    /// Says what the result is.
    public func finish(_ result: Result<Success, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .done(result) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }

    /// The result, helping with other work until it is there.
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
