import Synchronization

/// What a session's batch processor makes, in the order of the batches.
///
/// The session waits until an output is taken, so that a slow consumer needs no memory, and a batch counts as done only
/// then. Who lets go of the outputs without having read any does not hinder the session; a consumer that leaves later
/// pauses it, because what it did not take would be lost. The sequence ends when the run does, with the error that ended
/// it, if one did. It is for one consumer.
public struct BulkExportOutputs<Output: Sendable>: AsyncSequence, Sendable {
    /// Tells the session when nobody wants the outputs any more.
    final class Consumer: Sendable {
        let channel: OutputChannel<Output>
        init(_ channel: OutputChannel<Output>) { self.channel = channel }
        deinit { channel.consumerLeft() }
    }

    private let consumer: Consumer

    init(_ channel: OutputChannel<Output>) { consumer = Consumer(channel) }

    /// Takes the outputs; there is one consumer.
    public func makeAsyncIterator() -> Iterator { Iterator(consumer: consumer) }

    /// Gives the outputs one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        /// The next output, nil behind the last.
        ///
        /// - Throws: What ended the run before its time, once.
        public mutating func next() async throws -> Output? { try await consumer.channel.next() }
    }
}

@available(*, unavailable)
extension BulkExportOutputs.Iterator: Sendable {}

/// Hands outputs from a session to its consumer, one at a time: an output counts as handed on when it was taken.
final class OutputChannel<Output: Sendable>: Sendable {
    private struct State {
        var output: Output?
        var ending: Result<Void, any Error>?
        /// The consumer has asked for an output at least once.
        var hasBegun = false
        var hasConsumer = true
        /// The session does not wait any more.
        var isStopped = false
        var consumer: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?

        /// Those who wait and can go on.
        mutating func wake() -> [CheckedContinuation<Void, Never>] {
            var woken: [CheckedContinuation<Void, Never>] = []
            if output != nil || ending != nil || !hasConsumer, let waiting = consumer.take() {
                woken.append(waiting)
            }
            if output == nil || isStopped || !hasConsumer, let waiting = producer.take() {
                woken.append(waiting)
            }
            return woken
        }
    }

    private let state = Mutex(State())

    private func change<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.wake())
        }
        for continuation in woken { continuation.resume() }
        return result
    }

    /// Waits until the consumer has taken the output.
    ///
    /// - Returns: false where it was not taken: the session was stopped, or a consumer that had begun is gone. Where nobody
    ///   ever wanted outputs, nobody has to take one.
    func send(_ output: Output) async -> Bool {
        change { $0.output = output }
        await withCheckedContinuation { continuation in
            change { $0.producer = continuation }
        }
        return change { state in
            let wasTaken = state.output.take() == nil
            return wasTaken || !state.hasConsumer && !state.hasBegun
        }
    }

    /// The next output, nil behind the last.
    func next() async throws -> Output? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    precondition(state.consumer == nil, "the outputs of a session have one consumer")
                    state.hasBegun = true
                    state.consumer = continuation
                }
            }
        } onCancel: {
            consumerLeft()
        }
        let next: Result<Output?, any Error> = change { state in
            if state.hasConsumer, let output = state.output.take() { return .success(output) }
            guard case .failure(let error)? = state.ending else { return .success(nil) }
            // The error is told once.
            state.ending = .success(())
            return .failure(error)
        }
        return try next.get()
    }

    /// No output waits any more.
    func stop() { change { $0.isStopped = true } }

    func finish(_ ending: Result<Void, any Error>) { change { $0.ending = ending } }

    func consumerLeft() { change { $0.hasConsumer = false } }
}
