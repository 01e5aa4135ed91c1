import Synchronization
import SystemIO

/// Fills windows with successive pieces of a document, ahead of the reader if requested.
///
/// Whoever fills one goes on as long as there are free ones.
final class WindowFiller: @unchecked Sendable {
    // @unchecked: stream and observer are used by one thread at a time, the one that set `isFilling`.
    private let stream: any ByteStream
    private var observer: any DocumentObserver
    private let windowSize: Int
    /// The number of bytes to read at a time, whether or not they are read ahead: windows end at multiples of it, so that what
    /// is made of a document does not depend on the number of processors.
    let pieceSize: Int
    private let state = Mutex(State())

    /// The number of windows to fill ahead.
    private static let windowsAhead = 3
    /// Twice the time that filling a window takes, in seconds.
    private static let patience = 0.0002

    private struct State {
        var free: [DocumentWindow] = []
        var filled: [DocumentWindow] = []
        var isFilling = false
        /// Whether filling was requested but has not begun.
        var isWaiting = false
        var hasEnded = false
        /// The reader, while it waits for a window.
        var reader: CheckedContinuation<Void, Never>?
    }

    /// Makes a filler.
    ///
    /// - Parameter windowSize: The number of bytes that a window has room for.
    init(_ stream: any ByteStream, _ observer: any DocumentObserver, windowSize: Int) {
        self.stream = stream
        self.observer = observer
        self.windowSize = windowSize
        // With what a window leaves of another, a piece mostly fills one.
        pieceSize = max(1, windowSize - RowScanner.lookahead, windowSize / 2)
    }

    /// Appends the next piece of the document to a window.
    func fill(_ window: DocumentWindow) { window.fill(pieceSize, from: stream, &observer) }

    /// Returns a window with the next piece, filling it now if it was not filled ahead.
    ///
    /// - Parameter processors: The processors that fill windows ahead.
    func next(on processors: Processors) async -> DocumentWindow {
        while true {
            let (window, isFilled) = state.withLock { state -> (DocumentWindow?, Bool) in
                if state.free.isEmpty, state.filled.isEmpty, !state.isFilling {
                    state.free = (0..<Self.windowsAhead).map { _ in DocumentWindow(size: windowSize) }
                }
                if !state.filled.isEmpty { return (state.filled.removeFirst(), true) }
                guard !state.isFilling, let window = state.free.popLast() else { return (nil, false) }
                state.isFilling = true
                return (window, false)
            }
            guard let window else {
                if isFilledSoon() { continue }
                if !processors.help() { await waitForWindow() }
                continue
            }
            if !isFilled {
                fill(window)
                state.withLock { state in
                    state.isFilling = false
                    if window.isLast || window.failure != nil { state.hasEnded = true }
                }
            }
            fillAhead(on: processors)
            return window
        }
    }

    /// Waits for the window that is being filled without sleeping, because that mostly takes less time than any other work
    /// or than waking up; but not for long, because whoever fills it may not be running.
    ///
    /// - Returns: Whether there may be a window now.
    private func isFilledSoon() -> Bool {
        let end = SystemClock.uptime() + Self.patience
        repeat {
            if state.withLock({ !$0.filled.isEmpty || !$0.isFilling }) { return true }
        } while SystemClock.uptime() < end
        return false
    }

    /// Recycles a window that is no longer needed.
    func recycle(_ window: DocumentWindow) {
        window.removeAll(size: windowSize)
        state.withLock { $0.free.append(window) }
    }

    private func fillAhead(on processors: Processors) {
        let starts = state.withLock { state in
            guard !state.isFilling, !state.isWaiting, !state.hasEnded, !state.free.isEmpty else {
                return false
            }
            state.isWaiting = true
            return true
        }
        if starts { processors.add(isUrgent: true) { self.fillAll() } }
    }

    private func fillAll() {
        let begins = state.withLock { state in
            state.isWaiting = false
            guard !state.isFilling else { return false }
            state.isFilling = true
            return true
        }
        guard begins else { return }
        while let window = nextFreeWindow() {
            fill(window)
            let reader = state.withLock { state in
                state.filled.append(window)
                if window.isLast || window.failure != nil { state.hasEnded = true }
                return state.reader.take()
            }
            reader?.resume()
        }
    }

    private func nextFreeWindow() -> DocumentWindow? {
        state.withLock { state in
            if !state.hasEnded, let window = state.free.popLast() { return window }
            state.isFilling = false
            return nil
        }
    }

    private func waitForWindow() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.filled.isEmpty, state.isFilling else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
