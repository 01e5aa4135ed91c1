public import ByteText
public import HealthQueries

/// Charts of sleep.
public enum SleepChart: Sendable {
    /// Returns a chart of the hours asleep.
    ///
    /// - Parameters:
    ///   - sessions: Nights and naps; each counts for the day on which it ends.
    ///   - unit: The length of an interval; for more than a day, its value is the mean of its days with sleep.
    ///   - days: The rule for days.
    ///   - range: The range of the axis, in seconds since 1970; if nil, from the first to the last night.
    public static func chart(
        _ sessions: [SleepSession], by unit: CalendarUnit, _ days: Days, in range: Range<Int>? = nil
    ) -> Chart {
        let unit = unit == .hour ? .day : unit
        let periods = sessions.means(by: unit, in: days)
        let points = periods.map { period in
            let start = days.start(of: period.start)
            return ChartPoint(
                Double(start), Double(days.start(of: unit, 1, after: start)), period.timeAsleep / 3600)
        }
        let lone = range.map(\.lowerBound) ?? .min == .min ? periods.loneStart(by: unit, days) : nil
        let first = lone?.rest ?? Int(points.first?.start ?? 0)
        let last = Int(points.last?.end ?? 1)
        let sources = Set(periods.flatMap(\.sleepSources)).sorted().joined(separator: ", ")
        let shown = range.map { max($0.lowerBound, first)..<max(first + 1, min($0.upperBound, last)) }
        let slept = periods.dropFirst(lone?.intervals ?? 0).reduce(0) { $0 + $1.days }
        let note = lone.map { " \($0.note("day") { days.day(of: $0).description })." } ?? ""
        let covered = days.dayNumber(of: last - 1) - days.dayNumber(of: first) + 1
        return Chart(
            title: unit == .day ? "Sleep by day" : "Sleep by \(unit.rawValue), mean of its days",
            caption: """
                \(ChartNumber.count(slept)) of \(ChartNumber.count(covered)) days have sleep that ended on \
                them; time that several sources recorded counts once, time in bed does not; sources: \(sources); \
                days in \(days.zone).\(note)
                """,
            axis: .time(shown ?? first..<max(first + 1, last), days),
            panels: [
                ChartPanel(unit: "hours", format: .duration, entries: [ChartEntry("asleep", .bar, points)])
            ])
    }
}

extension [SleepPeriod] {
    /// The periods that lie far before the rest; nil if there are none.
    package func loneStart(by unit: CalendarUnit, _ days: Days) -> LoneStart? {
        LoneStart(
            map { period in
                let start = days.start(of: period.start)
                return (start, days.start(of: unit, 1, after: start), period.days)
            })
    }
}
