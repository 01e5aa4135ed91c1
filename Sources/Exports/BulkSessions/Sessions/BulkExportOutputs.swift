import Synchronization

/// The outputs of a session's batch processor, in the order of the batches.
///
/// The session waits until each output is received, so outputs do not pile up in memory, and only then counts the batch
/// as done. Discarding the outputs without reading any does not affect the session. A consumer that stops later pauses
/// it, because unreceived outputs would be lost. The sequence ends when the run ends, and throws the error that ended
/// the run, if any. It supports a single consumer.
public struct BulkExportOutputs<Output: Sendable>: AsyncSequence, Sendable {
    /// Notifies the session when the outputs are no longer wanted.
    final class Consumer: Sendable {
        let channel: OutputChannel<Output>
        init(_ channel: OutputChannel<Output>) { self.channel = channel }
        deinit { channel.consumerLeft() }
    }

    private let consumer: Consumer

    init(_ channel: OutputChannel<Output>) { consumer = Consumer(channel) }

    /// Returns an iterator over the outputs; only one is supported.
    public func makeAsyncIterator() -> Iterator { Iterator(consumer: consumer) }

    /// An iterator over the outputs.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let consumer: Consumer

        /// Returns the next output; nil after the last one.
        ///
        /// - Throws: The error that ended the run early, once.
        public mutating func next() async throws -> Output? { try await consumer.channel.next() }
    }
}

@available(*, unavailable)
extension BulkExportOutputs.Iterator: Sendable {}

/// Sends outputs from a session to its consumer, one at a time; an output counts as sent once it is received.
final class OutputChannel<Output: Sendable>: Sendable {
    private struct State {
        var output: Output?
        var ending: Result<Void, any Error>?
        /// Whether the consumer has asked for an output at least once.
        var hasBegun = false
        var hasConsumer = true
        /// Whether the session has stopped waiting.
        var isStopped = false
        var consumer: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?

        /// Removes and returns the continuations that can be resumed.
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

    /// Sends an output and waits until the consumer receives it.
    ///
    /// - Returns: false if it was not received because the session was stopped or a consumer that had started is gone;
    ///   true for an output discarded because the consumer left without asking for any.
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

    /// Returns the next output; nil after the last one.
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
            // The error is thrown only once.
            state.ending = .success(())
            return .failure(error)
        }
        return try next.get()
    }

    /// Stops waiting for outputs to be received.
    func stop() { change { $0.isStopped = true } }

    func finish(_ ending: Result<Void, any Error>) { change { $0.ending = ending } }

    func consumerLeft() { change { $0.hasConsumer = false } }
}
