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
        let box = unsafe Unmanaged.passRetained(Work(work))
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
    func join() { pthread_join(thread, nil) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
