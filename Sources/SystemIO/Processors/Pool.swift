import Synchronization

/// Objects with buffers of their own that wait for work: no more are made than work at the same time.
package final class Pool<Worker: Sendable>: Sendable {
    private let idle = Mutex<[Worker]>([])
    private let make: @Sendable () throws -> Worker

    package init(_ make: @escaping @Sendable () throws -> Worker) { self.make = make }

    /// Gives an object to `body` that nobody else has meanwhile.
    package func with<Result>(_ body: (Worker) throws -> Result) throws -> Result {
        let worker = try idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(worker) } }
        return try body(worker)
    }
}
