package import HealthVault

/// The speed of an operation and the time left, computed from its progress and a clock.
///
/// Each phase is measured separately, over its last seconds: a phase that waited for a key, or skipped what an earlier
/// run had written, does not predict the speed of the next.
package struct ProgressMeter {
    /// The values to show.
    package struct Reading: Equatable {
        /// The percentage of the phase that is done; nil if its length is unknown.
        package var percent: Int?
        /// The time until the end of the phase, in seconds; nil if it cannot be estimated yet.
        package var secondsLeft: Int?
        /// The speed over the last seconds; nil if it is unknown, or not of bytes.
        package var bytesPerSecond: Int?
    }

    private struct Point {
        let time: Double
        let done: Int
    }

    /// The number of seconds before the first reading, and between two readings in a phase.
    private static let interval = 1.0
    /// The number of seconds at the start of a phase in which the time left cannot be estimated.
    private static let settling = 3.0
    /// The number of seconds over which the speed is measured.
    private static let window = 8.0

    private let start: Double
    private var phase: VaultProgress.Phase?
    private var unit = VaultProgress.Unit.bytes
    private var phaseStart = 0.0
    private var shown: Double?
    private var points: [Point] = []

    /// Starts measuring.
    ///
    /// - Parameter now: The time in seconds, as in all other calls.
    package init(at now: Double) { start = now }

    /// Records progress, and returns what to show now; nil to show nothing.
    package mutating func record(_ progress: VaultProgress, at now: Double) -> Reading? {
        let isNewPhase = phase != progress.phase || unit != progress.unit
        if isNewPhase {
            (phase, unit) = (progress.phase, progress.unit)
            phaseStart = now
            points = []
        }
        // A phase may start again for the next archive of a chain.
        if let last = points.last, progress.done < last.done { points = [] }
        if points.isEmpty || now - points[points.count - 1].time >= Self.interval / 2 {
            points.append(Point(time: now, done: progress.done))
            let first = points.lastIndex { now - $0.time >= Self.window } ?? 0
            points.removeFirst(first)
        }
        guard now - start >= Self.interval else { return nil }
        if let shown, !isNewPhase, now - shown < Self.interval { return nil }
        shown = now
        return reading(progress, now)
    }

    private func reading(_ progress: VaultProgress, _ now: Double) -> Reading {
        var reading = Reading()
        let rate = rate(progress.done, now)
        if progress.unit == .bytes { reading.bytesPerSecond = rate.map { Int($0) } }
        guard let total = progress.total, total > 0, progress.done <= total else { return reading }
        reading.percent = Int(Double(progress.done) / Double(total) * 100)
        if now - phaseStart >= Self.settling, let rate {
            reading.secondsLeft = Int(min((Double(total - progress.done) / rate).rounded(.up), 1e9))
        }
        return reading
    }

    /// Returns how much was done per second over the window; nil if there were none.
    private func rate(_ done: Int, _ now: Double) -> Double? {
        guard let first = points.first, now > first.time, done > first.done else { return nil }
        return Double(done - first.done) / (now - first.time)
    }
}
