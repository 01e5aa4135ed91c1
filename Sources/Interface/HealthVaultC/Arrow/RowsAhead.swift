import Glibc

/// Rows that a thread of its own makes ahead of the consumer, a few pieces at most.
///
/// Swift's tasks are of no use here: after a fork, the child has none of the threads that run them, while a thread that
/// is started anew works anywhere.
@safe
final class RowsAhead: ArrowStream.RowSource, @unchecked Sendable {
    // @unchecked: the lock protects all that changes.
    private let make: () throws -> ArrowRows?
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>
    private var thread: pthread_t?
    private var ready: [Result<ArrowRows, any Error>] = []
    private var isFinished = false
    private var isStopped = false

    /// The number of pieces and of rows that wait for the consumer, at most.
    private static let mostPieces = 4
    private static let mostRows = 200_000

    /// Creates rows.
    ///
    /// - Parameter make: Makes the next piece; called by one thread at a time.
    init(_ make: @escaping () throws -> ArrowRows?) {
        self.make = make
        unsafe lock = .allocate(capacity: 1)
        unsafe change = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe change.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(lock, nil)
        unsafe pthread_cond_init(change, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
        unsafe change.deallocate()
    }

    func next() throws -> ArrowRows? {
        unsafe pthread_mutex_lock(lock)
        if thread == nil, !isFinished, !isStopped, !start() {
            // Without a thread, the consumer's does the work.
            unsafe pthread_mutex_unlock(lock)
            return try make()
        }
        while ready.isEmpty, !isFinished { unsafe pthread_cond_wait(change, lock) }
        let result = ready.isEmpty ? nil : ready.removeFirst()
        unsafe pthread_cond_broadcast(change)
        unsafe pthread_mutex_unlock(lock)
        return try result?.get()
    }

    func stop() {
        unsafe pthread_mutex_lock(lock)
        isStopped = true
        let running = thread
        thread = nil
        unsafe pthread_cond_broadcast(change)
        unsafe pthread_mutex_unlock(lock)
        if let running { pthread_join(running, nil) }
    }

    private func start() -> Bool {
        var created = pthread_t()
        let status = unsafe pthread_create(
            &created, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<RowsAhead>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard status == 0 else {
            unsafe Unmanaged.passUnretained(self).release()
            return false
        }
        thread = created
        return true
    }

    private func run() {
        while true {
            let result = Result { try make() }
            unsafe pthread_mutex_lock(lock)
            switch result {
            case .success(let rows?): ready.append(.success(rows))
            case .success(nil): isFinished = true
            case .failure(let error):
                ready.append(.failure(error))
                isFinished = true
            }
            unsafe pthread_cond_broadcast(change)
            while !isStopped, !isFinished, isFull { unsafe pthread_cond_wait(change, lock) }
            let ends = isStopped || isFinished
            unsafe pthread_mutex_unlock(lock)
            if ends { return }
        }
    }

    private var isFull: Bool {
        var rows = 0
        for case .success(let piece) in ready { rows += piece.count }
        return ready.count >= Self.mostPieces || rows > Self.mostRows
    }
}
