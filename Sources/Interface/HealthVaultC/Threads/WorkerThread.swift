import Glibc

/// A thread of the system that runs a piece of work.
@safe final class WorkerThread: @unchecked Sendable {
    // @unchecked: the identifier does not change.
    private let thread: pthread_t

    /// Starts a thread, which handles no signals: they belong to the program that uses the library.
    ///
    /// - Returns: nil if the system has no more threads.
    init?(_ work: @escaping @Sendable () -> Void) {
        var (all, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let box = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until the work is done; called once.
    func join() { unsafe pthread_join(thread, nil) }

    /// The number of threads that can run beside the caller's, on the processors that this process may use.
    static var sparePlaces: Int {
        var set = cpu_set_t()
        guard unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 else { return 0 }
        let count = unsafe withUnsafeBytes(of: &set) { bytes in
            unsafe bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        }
        return max(0, count - 1)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
