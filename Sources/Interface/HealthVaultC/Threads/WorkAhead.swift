import HealthArchive
import SystemIO

/// Reads and decodes pieces of work in their order, some of them ahead of the consumer.
///
/// At most two pieces per thread, the consumer's among them, are under way or wait, so that memory is bounded. A consumer that would
/// have to wait for a piece does another one meanwhile. Pieces that are too large to be decoded beside others are decoded when the
/// consumer comes to them.
final class WorkAhead<Stored: Sendable, Result: Sendable> {
    typealias Decoding = @Sendable (Stored, BatchDecoder.Bounds) throws -> Result

    private let work: Work
    private let threadCount: Int
    private var threads: [WorkerThread] = []
    private var isStarted = false

    /// The most threads that are started if the caller does not say how many.
    private static var mostThreads: Int { 4 }

    /// Prepares the work; threads start when the first result is requested.
    ///
    /// - Parameters:
    ///   - count: The number of pieces.
    ///   - threads: Threads beside the consumer's; nil for as many as there are processors for.
    ///   - read: Reads a piece; never called twice at a time.
    ///   - decode: Decodes what was read, on any thread; throws `batchTooLarge` if it exceeds the bounds.
    init(
        count: Int, threads: Int?, read: @escaping (Int) throws -> Stored, decode: @escaping Decoding
    ) {
        let spare = threads ?? min(Self.mostThreads, CurrentProcess.processorCount - 1)
        threadCount = max(0, min(spare, count - 1))
        work = Work(count: count, window: 2 * (threadCount + 1), read, decode)
    }

    deinit {
        work.cancel()
        for thread in threads { thread.join() }
    }

    /// Returns the next result; nil after the last.
    func next() throws -> Result? {
        if !isStarted {
            isStarted = true
            let work = work
            for _ in 0..<threadCount {
                guard let thread = WorkerThread({ work.run() }) else { break }
                threads.append(thread)
            }
        }
        return try work.next()
    }

    /// What the threads share with the consumer.
    private final class Work: @unchecked Sendable {
        // @unchecked: `read` is called by one thread at a time.
        private let read: (Int) throws -> Stored
        private let decode: Decoding
        private let count: Int
        private let window: Int
        private let monitor = Monitor(State())

        private struct State: Sendable {
            /// The next piece to be read.
            var next = 0
            /// Whether a thread reads.
            var isReading = false
            /// The next piece that the consumer needs.
            var needed = 0
            var results: [Int: Swift.Result<Outcome, any Error>] = [:]
            var isCancelled = false

            /// Takes the next piece, which the caller then reads; nil if another one is being read, or enough are under way.
            mutating func claim(of count: Int, window: Int) -> Int? {
                guard next < count, !isReading, next < needed + window else { return nil }
                defer { next += 1 }
                isReading = true
                return next
            }
        }

        private enum Outcome: Sendable {
            case done(Result)
            case large(Stored)
        }

        private enum Step {
            case end
            case found(Swift.Result<Outcome, any Error>)
            case needed(Int)
            case ahead(Int)
        }

        init(
            count: Int, window: Int, _ read: @escaping (Int) throws -> Stored, _ decode: @escaping Decoding
        ) {
            self.count = count
            self.window = window
            self.read = read
            self.decode = decode
        }

        func cancel() { monitor.change { $0.isCancelled = true } }

        /// Does pieces ahead of the consumer until there are no more.
        func run() {
            while true {
                let number = monitor.wait { [count, window] state -> Int?? in
                    if state.isCancelled || state.next >= count { return .some(nil) }
                    guard let number = state.claim(of: count, window: window) else { return nil }
                    return .some(number)
                }
                guard let number else { return }
                makeReady(number)
            }
        }

        /// Does a piece ahead of the consumer.
        private func makeReady(_ number: Int) {
            let outcome = readPiece(number).flatMap { stored in
                Swift.Result {
                    do { return Outcome.done(try decode(stored, .usual)) } catch let error as VaultError {
                        guard error.code == .batchTooLarge else { throw error }
                        return Outcome.large(stored)
                    }
                }
            }
            monitor.change { $0.results[number] = outcome }
        }

        func next() throws -> Result? {
            do {
                while true {
                    let step = monitor.wait { [count, window] state -> Step? in
                        if state.needed >= count || state.isCancelled { return .end }
                        if let found = state.results.removeValue(forKey: state.needed) {
                            state.needed += 1
                            return .found(found)
                        }
                        return state.claim(of: count, window: window).map {
                            $0 == state.needed ? .needed($0) : .ahead($0)
                        }
                    }
                    switch step {
                    case .end: return nil
                    case .found(let outcome):
                        // The threads have room for another piece.
                        monitor.change { _ in }
                        switch try outcome.get() {
                        case .done(let result): return result
                        case .large(let stored): return try decode(stored, .largest)
                        }
                    case .needed(let number):
                        let result = try decode(try readPiece(number).get(), .largest)
                        monitor.change { $0.needed = number + 1 }
                        return result
                    case .ahead(let number): makeReady(number)
                    }
                }
            } catch {
                cancel()
                throw error
            }
        }

        private func readPiece(_ number: Int) -> Swift.Result<Stored, any Error> {
            let stored = Swift.Result { try read(number) }
            monitor.change { $0.isReading = false }
            return stored
        }
    }
}
