import Synchronization

/// Runs asynchronous work on the thread that waits for it.
///
/// Waiting therefore never needs another thread, so that it is safe on any thread, even one of Swift's own.
package final class CallerExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    /// Adds a job, which runs when the waiting thread comes to it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs work to its end and returns its result.
    ///
    /// If the caller is a task that is cancelled, so is the work.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let executor = CallerExecutor()
        let outcome = Outcome<Result>()
        let task = Task.detached(executorPreference: executor) {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
        }
        while true {
            if Task.isCancelled { task.cancel() }
            let next = executor.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next {
                unsafe next.runSynchronously(on: executor.asUnownedTaskExecutor())
            } else if let found = outcome.get() {
                return try found.get()
            } else {
                // Another thread does some of the work.
                SystemClock.sleep(milliseconds: 1)
            }
        }
    }
}

/// The result of a piece of work, once there is one.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Swift.Result<Value, any Error>?>(nil)
    func set(_ value: Swift.Result<Value, any Error>) { result.withLock { $0 = value } }
    func get() -> Swift.Result<Value, any Error>? { result.withLock { $0 } }
}
