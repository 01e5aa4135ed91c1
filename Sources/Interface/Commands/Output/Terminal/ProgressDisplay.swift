package import HealthVault
import Synchronization
import SystemIO

/// The styles of progress output.
package enum ProgressStyle: String, CaseIterable, Sendable {
    /// A line that is updated on a terminal, nothing elsewhere.
    case auto
    /// A line for each update.
    case plain
    /// A JSON object for each update.
    case json
    /// Nothing.
    case none
}

/// A display of an operation's progress; after the first second, updated once a second at most and at each new phase.
package final class ProgressDisplay: Sendable {
    private let style: ProgressStyle
    private let steps: [VaultProgress.Phase]
    private let start: Double
    private let meter: Mutex<ProgressMeter>

    /// Makes a display.
    ///
    /// - Parameter steps: The phases of the operation, if it has several; each starts at 0 %, as a step of them.
    package init(_ style: ProgressStyle, quiet: Bool, steps: [VaultProgress.Phase] = []) {
        self.steps = steps
        let isVisible = style != .auto || Console.errorsAreFancy
        self.style = quiet || !isVisible ? .none : style
        start = SystemClock.uptime()
        meter = Mutex(ProgressMeter(at: start))
    }

    /// The handler to which an operation reports its progress.
    package var handler: ProgressHandler {
        { progress in self.update(progress) }
    }

    /// Shows the progress of an operation that knows only which part of it is done.
    ///
    /// - Parameters:
    ///   - task: What is being done.
    ///   - done: How much of it is done.
    ///   - total: How much there is.
    package func show(_ task: String, _ done: Double, of total: Double) {
        guard total > 0 else { return }
        let parts = 1_000_000.0
        update(
            VaultProgress(
                .reading, subject: task, done: Int(done / total * parts), total: Int(parts), unit: .parts))
    }

    private func update(_ progress: VaultProgress) {
        // After a request to stop, the line would appear below what answers it.
        guard style != .none, !Interruption.isRequested() else { return }
        let now = SystemClock.uptime()
        guard let reading = meter.withLock({ $0.record(progress, at: now) }) else { return }
        switch style {
        case .auto: Console.show(progress: step(progress) + ProgressLine.text(progress, reading))
        case .plain: Console.log(step(progress) + ProgressLine.text(progress, reading))
        case .json: Console.log(json: ProgressLine.json(progress, reading, elapsed: now - start))
        case .none: break
        }
    }

    /// Returns which of several steps an operation is in.
    private func step(_ progress: VaultProgress) -> TerminalText {
        guard steps.count > 1, let number = steps.firstIndex(of: progress.phase) else { return "" }
        return "step \(number + 1) of \(steps.count)  "
    }
}
