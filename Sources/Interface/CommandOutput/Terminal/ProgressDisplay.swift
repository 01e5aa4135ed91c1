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
    private struct State {
        var meter: ProgressMeter
        var isShown = false
    }

    private let style: ProgressStyle
    private let start: Double
    private let state: Mutex<State>

    package init(_ style: ProgressStyle, quiet: Bool) {
        let isVisible = style != .auto || Console.errorsAreFancy
        self.style = quiet || !isVisible ? .none : style
        start = SystemClock.uptime()
        state = Mutex(State(meter: ProgressMeter(at: start)))
    }

    /// The handler to which an operation reports its progress.
    package var handler: ProgressHandler {
        { progress in self.update(progress) }
    }

    private func update(_ progress: VaultProgress) {
        guard style != .none else { return }
        let now = SystemClock.uptime()
        let reading = state.withLock { state in
            let reading = state.meter.record(progress, at: now)
            if reading != nil { state.isShown = true }
            return reading
        }
        guard let reading else { return }
        switch style {
        case .auto: Console.renewLine(ProgressLine.text(progress, reading))
        case .plain: Console.log(ProgressLine.text(progress, reading))
        case .json: Console.log(json: ProgressLine.json(progress, reading, elapsed: now - start))
        case .none: break
        }
    }

    /// Removes the line, so that a summary can take its place.
    package func finish() {
        guard style == .auto, state.withLock({ $0.isShown }) else { return }
        Console.renewLine("")
    }
}
