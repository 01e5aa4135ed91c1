import ByteText
import CommandLineKit
import HealthModel
package import HealthVault
import Wording

/// A line that shows the progress of an operation.
package enum ProgressLine {
    /// Returns the line for people, with the most important parts first, because a narrow terminal cuts off the end.
    package static func text(_ progress: VaultProgress, _ reading: ProgressMeter.Reading) -> TerminalText {
        var parts: [TerminalText] = []
        if let percent = reading.percent {
            let padding = String(repeating: " ", count: max(0, 3 - String(percent).utf8.count))
            parts.append("\(padding)\(percent)%")
        }
        if let seconds = reading.secondsLeft { parts.append("\(Quantities.duration(seconds)) left") }
        parts.append(subject(progress))
        let amount: ((Int) -> TerminalText)? =
            switch progress.unit {
            case .bytes: { Quantities.bytes($0) }
            case .archives: { Quantities.count($0) }
            case .changes: { Quantities.count($0, "change") }
            case .parts: nil
            }
        if let amount, let total = progress.total, progress.done <= total {
            parts.append("\(amount(progress.done)) of \(amount(total))")
        } else if let amount, progress.done > 0 {
            parts.append(amount(progress.done))
        }
        if let rate = reading.bytesPerSecond { parts.append("\(Quantities.bytes(rate))/s") }
        return parts.dropFirst().reduce(parts[0]) { "\($0)  \($1)" }
    }

    /// Returns what the operation is doing, with the title of the type that it processes.
    private static func subject(_ progress: VaultProgress) -> TerminalText {
        let subject: TerminalText = "\(AnySampleType.title(of: progress.subject))"
        return switch progress.phase {
        case .reading: subject
        case .writing: "writing \(subject)"
        case .syncing: "waiting for the drive"
        case .readingBack: "reading back"
        case .authenticating: "authenticating"
        case .checking: "checking contents"
        case .comparing: "comparing with the source"
        }
    }

    /// Returns the line for programs.
    package static func json(
        _ progress: VaultProgress, _ reading: ProgressMeter.Reading, elapsed: Double
    ) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("event", "progress")
            writer.member("phase", progress.phase.rawValue)
            writer.member("subject", progress.subject)
            writer.member("bytes", progress.done)
            if let total = progress.total { writer.member("totalBytes", total) }
            writer.key("seconds")
            writer.decimal(elapsed, digits: 3)
            if let rate = reading.bytesPerSecond { writer.member("bytesPerSecond", rate) }
            if let seconds = reading.secondsLeft { writer.member("secondsLeft", seconds) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
