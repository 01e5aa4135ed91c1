import ByteText

/// The ticks of an axis of time.
enum TimeTicks {
    /// The names of the months.
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the ticks in a range.
    ///
    /// They are 10 minutes apart for up to an hour, an hour for up to 12 hours, 3 hours for up to a day, a day for up
    /// to 7 days, and a week for up to 31 days. For longer ranges, they are as many months or years apart as their
    /// maximum number requires.
    static func ticks(in range: Range<Int>, _ days: Days, most: Int) -> [ChartAxis.Tick] {
        guard !range.isEmpty else { return [] }
        // A day on which clocks are set back has 25 hours.
        switch range.count {
        case ...3600: return clock(range, days, 600)
        case ...(12 * 3600): return clock(range, days, 3600)
        case ...(25 * 3600): return clock(range, days, 3 * 3600)
        case ...(7 * 86400 + 3600): return calendar(range, days, .day)
        case ...(31 * 86400 + 3600): return calendar(range, days, .week)
        default: return months(range, days, most: max(1, most))
        }
    }

    /// Returns a tick at each multiple of a step on the clock.
    private static func clock(_ range: Range<Int>, _ days: Days, _ step: Int) -> [ChartAxis.Tick] {
        let first = range.lowerBound + days.offset(at: range.lowerBound)
        var local = (first + step - 1).flooredQuotient(by: step) * step
        var ticks: [ChartAxis.Tick] = []
        var last = Int.min
        var lastDay: CivilDate?
        while local <= first + range.count + 3600 {
            let instant = days.instant(ofLocal: local)
            if instant > last, instant >= range.lowerBound, instant <= range.upperBound {
                let time = days.timestamp(instant).iso.dropFirst(11).prefix(5)
                let day = days.day(of: instant)
                let label = time == "00:00" ? dayLabel(day, after: lastDay) : String(time)
                if time == "00:00" { lastDay = day }
                ticks.append(ChartAxis.Tick(position: Double(instant), label: label))
                last = instant
            }
            local += step
        }
        return ticks
    }

    /// Returns a tick at the start of each day or week.
    private static func calendar(
        _ range: Range<Int>, _ days: Days, _ unit: CalendarUnit
    ) -> [ChartAxis.Tick] {
        var ticks: [ChartAxis.Tick] = []
        var start = days.start(of: unit, containing: range.lowerBound)
        var last: CivilDate?
        while start <= range.upperBound {
            if start >= range.lowerBound {
                let day = days.day(of: start)
                ticks.append(ChartAxis.Tick(position: Double(start), label: dayLabel(day, after: last)))
                last = day
            }
            start = days.start(of: unit, 1, after: start)
        }
        return ticks
    }

    /// Returns a tick at the start of each month, or of only some of them.
    private static func months(_ range: Range<Int>, _ days: Days, most: Int) -> [ChartAxis.Tick] {
        let (first, last) = (month(range.lowerBound, days), month(range.upperBound, days))
        let steps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000, 60_000, 120_000]
        let step = steps.first { (last - first) / $0 < most } ?? 120_000
        var ticks: [ChartAxis.Tick] = []
        var month = (first + step - 1) / step * step
        while month <= last {
            guard let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 1) else { break }
            let start = days.start(of: day)
            if start >= range.lowerBound, start <= range.upperBound {
                let name = months[month % 12]
                let isYear = step % 12 == 0
                let label =
                    isYear ? "\(day.year)" : day.month == 1 || ticks.isEmpty ? "\(name) \(day.year)" : name
                ticks.append(ChartAxis.Tick(position: Double(start), label: label))
            }
            month += step
        }
        return ticks
    }

    /// Returns the number of a month, counted from January of year 0.
    private static func month(_ instant: Int, _ days: Days) -> Int {
        let day = days.day(of: instant)
        return day.year * 12 + day.month - 1
    }

    /// Returns the label of a day, with its year unless the label before it has the same.
    static func dayLabel(_ day: CivilDate, after last: CivilDate?) -> String {
        "\(day.day) \(months[day.month - 1])" + (day.year == last?.year ? "" : " \(day.year)")
    }

    /// Returns the label of a part of the axis: an hour, a day, a month or a year, by its length.
    static func label(start: Int, length: Int, _ days: Days) -> String {
        let day = days.day(of: start)
        return switch length {
        case 0..<(23 * 3600): day.description + " " + days.timestamp(start).iso.dropFirst(11).prefix(5)
        case ..<(27 * 86400): day.description
        case ..<(360 * 86400): String(day.description.dropLast(3))
        default: String(day.description.dropLast(6))
        }
    }
}
