import Synchronization
package import SystemIO

/// A line of progress of an operation that tells its steps more often than anybody can read.
package final class OccasionalLine: Sendable {
    private let isShown: Bool
    private let pause: Double
    private let shown = Mutex(SystemClock.uptime())

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - isShown: Whether to show anything; nothing is shown if standard error is no terminal.
    ///   - pause: The seconds for which a text stays.
    package init(isShown: Bool, every pause: Double) {
        self.isShown = isShown && Console.errorsAreFancy
        self.pause = pause
    }

    /// Shows a text, unless another one was shown just before.
    package func show(_ text: @autoclosure () -> TerminalText) {
        guard isShown else { return }
        let isDue = shown.withLock { last in
            let now = SystemClock.uptime()
            guard now - last >= pause else { return false }
            last = now
            return true
        }
        if isDue { Console.show(progress: text()) }
    }
}
