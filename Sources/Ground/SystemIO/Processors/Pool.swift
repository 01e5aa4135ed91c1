import Synchronization

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
