import CommandLineKit
import HealthModel
package import HealthVault
import JSONText
import Synchronization
import SystemIO

/// The styles of showing progress.
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

/// Shows the progress of an operation: not in its first second, and at most once a second.
package final class ProgressDisplay: Sendable {
    private struct State {
        var last = 0.0
        var isShown = false
    }

    private let style: ProgressStyle
    private let start = SystemClock.uptime()
    private let state = Mutex(State())

    package init(_ style: ProgressStyle, quiet: Bool) {
        let isVisible = style != .auto || Console.errorsAreFancy
        self.style = quiet || !isVisible ? .none : style
    }

    /// The handler to which an operation reports its progress.
    package var handler: ProgressHandler {
        { progress in self.update(progress) }
    }

    private func update(_ progress: VaultProgress) {
        guard style != .none else { return }
        let elapsed = SystemClock.uptime() - start
        let isDue = state.withLock { state in
            guard elapsed >= 1, elapsed - state.last >= 1 else { return false }
            state.last = elapsed
            state.isShown = true
            return true
        }
        guard isDue else { return }
        switch style {
        case .auto: Console.renewLine(line(progress, elapsed))
        case .plain: Console.log(line(progress, elapsed))
        case .json: Console.log(json: json(progress, elapsed))
        case .none: break
        }
    }

    /// Removes the line, so that a summary can take its place.
    package func finish() {
        guard style == .auto, state.withLock({ $0.isShown }) else { return }
        Console.renewLine("")
    }

    /// Returns the seconds that are left at the average speed so far.
    private func remaining(_ progress: VaultProgress, _ elapsed: Double) -> Double? {
        guard let total = progress.total, progress.done > 0, total >= progress.done else { return nil }
        return elapsed * Double(total - progress.done) / Double(progress.done)
    }

    private func line(_ progress: VaultProgress, _ elapsed: Double) -> TerminalText {
        var text: TerminalText = "\(AnySampleType.title(of: progress.subject))  "
        text += Quantities.bytes(progress.done)
        if let total = progress.total { text += " of \(Quantities.bytes(total))" }
        text += "  \(Quantities.bytes(Int(Double(progress.done) / elapsed)))/s"
        if let rest = remaining(progress, elapsed) { text += "  \(Quantities.seconds(rest)) left" }
        return text
    }

    private func json(_ progress: VaultProgress, _ elapsed: Double) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", "progress")
            writer.member("subject", progress.subject)
            writer.member("bytes", progress.done)
            if let total = progress.total { writer.member("totalBytes", total) }
            writer.key("seconds")
            writer.decimal(elapsed, digits: 3)
            if let rest = remaining(progress, elapsed) {
                writer.key("secondsLeft")
                writer.decimal(rest, digits: 1)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
