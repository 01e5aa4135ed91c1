import Synchronization

/// What a session's batch processor makes, in the order of the batches.
///
/// The session waits while as many outputs are there as it processes batches at a time, so that a slow consumer needs
/// no memory. Who lets go of the outputs without reading them does not hinder the session. The sequence ends when the
/// run does, with the error that ended it, if one did; it is for one consumer.
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

/// Hands outputs from a session to its consumer, a few at a time.
final class OutputChannel<Output: Sendable>: Sendable {
    private struct State {
        var outputs: [Output] = []
        var ending: Result<Void, any Error>?
        var hasConsumer = true
        /// The session does not wait any more.
        var isDraining = false
        var consumer: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?

        /// Those who wait and can go on.
        mutating func wake(_ capacity: Int) -> [CheckedContinuation<Void, Never>] {
            var woken: [CheckedContinuation<Void, Never>] = []
            if !outputs.isEmpty || ending != nil || !hasConsumer, let waiting = consumer.take() {
                woken.append(waiting)
            }
            if outputs.count < capacity || isDraining || !hasConsumer, let waiting = producer.take() {
                woken.append(waiting)
            }
            return woken
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    private func change<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.wake(capacity))
        }
        for continuation in woken { continuation.resume() }
        return result
    }

    /// Takes an output, as soon as there is room.
    func send(_ output: Output) async {
        await withCheckedContinuation { continuation in
            change { $0.producer = continuation }
        }
        change { state in
            if state.hasConsumer { state.outputs.append(output) }
        }
    }

    /// The next output, nil behind the last.
    func next() async throws -> Output? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { $0.consumer = continuation }
            }
        } onCancel: {
            consumerLeft()
        }
        let next: Result<Output?, any Error> = change { state in
            if !state.outputs.isEmpty, state.hasConsumer { return .success(state.outputs.removeFirst()) }
            guard case .failure(let error)? = state.ending else { return .success(nil) }
            // The error is told once.
            state.ending = .success(())
            return .failure(error)
        }
        return try next.get()
    }

    /// What is there stays, and no output waits any more.
    func drain() { change { $0.isDraining = true } }

    func finish(_ ending: Result<Void, any Error>) { change { $0.ending = ending } }

    func consumerLeft() {
        change { state in
            state.hasConsumer = false
            state.outputs = []
        }
    }
}
