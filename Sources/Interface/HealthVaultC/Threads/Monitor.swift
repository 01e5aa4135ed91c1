import Glibc

/// State that several threads change, and wait for changes of.
///
/// Threads of the system rather than tasks of Swift: a process that was forked can start new ones, while Swift's pool of
/// threads is gone in a child.
@safe final class Monitor<State: Sendable>: @unchecked Sendable {
    // @unchecked: the state is only used while the mutex is locked.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Changes the state, and wakes all threads that wait.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        let result = body(&state)
        unsafe pthread_cond_broadcast(condition)
        return result
    }

    /// Waits until `body` returns a result; it may change the state when it does.
    func wait<Result>(for body: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }
}
