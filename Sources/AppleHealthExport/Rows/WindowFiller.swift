import Synchronization

/// Fills windows with the pieces of a document, one after the other, and if asked ahead of who reads them.
///
/// A task fills all windows that are free and ends, and the next one starts when some are free again: a task for each
/// window would wake the processors more often than the work is worth.
final class WindowFiller: @unchecked Sendable {
    // @unchecked: stream and observer are used by one task at a time, and by nobody else while there is one.
    private let stream: any ByteStream
    private var observer: any DocumentObserver
    private let state = Mutex(State())

    /// Windows that are filled ahead.
    private static let windowsAhead = 3
    /// So many must be free before a task is worth its while.
    private static let windowsAtOnce = 2

    private struct State {
        var free: [DocumentWindow] = []
        var filled: [DocumentWindow] = []
        var count = 0
        var isRunning = false
        var hasEnded = false
        var task: Task<Void, Never>?
    }

    init(_ stream: any ByteStream, _ observer: any DocumentObserver) {
        self.stream = stream
        self.observer = observer
    }

    /// Reads the next bytes of the document behind those in the window.
    func fill(_ window: DocumentWindow, _ count: Int) { window.fill(count, from: stream, &observer) }

    /// The next window that was filled ahead.
    ///
    /// - Parameters:
    ///   - size: How large windows are made.
    ///   - count: How many bytes the windows from now on shall have.
    func next(size: Int, count: Int) async -> DocumentWindow {
        while true {
            let (window, task) = state.withLock { state -> (DocumentWindow?, Task<Void, Never>?) in
                state.count = count
                if state.free.isEmpty, state.filled.isEmpty, !state.isRunning {
                    state.free = (0..<Self.windowsAhead).map { _ in DocumentWindow(size: size) }
                }
                start(&state, atOnce: state.filled.isEmpty ? 1 : Self.windowsAtOnce)
                return (state.filled.isEmpty ? nil : state.filled.removeFirst(), state.task)
            }
            if let window { return window }
            await task?.value
        }
    }

    /// Takes back a window that is used up.
    func giveBack(_ window: DocumentWindow) {
        window.removeAll()
        state.withLock { state in
            state.free.append(window)
            start(&state, atOnce: Self.windowsAtOnce)
        }
    }

    private func start(_ state: inout State, atOnce: Int) {
        guard !state.isRunning, !state.hasEnded, state.free.count >= atOnce else { return }
        state.isRunning = true
        state.task = Task.detached { self.fillAll() }
    }

    private func fillAll() {
        while let (window, count) = take() {
            fill(window, count)
            state.withLock { state in
                state.filled.append(window)
                if window.isLast || window.failure != nil { state.hasEnded = true }
            }
        }
    }

    private func take() -> (DocumentWindow, Int)? {
        state.withLock { state in
            if !state.hasEnded, let window = state.free.popLast() { return (window, state.count) }
            state.isRunning = false
            return nil
        }
    }
}
