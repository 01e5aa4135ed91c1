public import ByteText
public import HealthModel

/// A part of a period in a comparison: all of it, or one of its months, for example.
public struct ComparedPart: Sendable, Equatable {
    /// The first day.
    public let first: CivilDate
    /// The last day.
    public let last: CivilDate
    /// Number of days with data.
    public internal(set) var daysWithData = 0
    /// The mean of the days with data: of their sums, or of their averages; nil if there are none.
    public internal(set) var mean: Double?
    /// The sum of the days with data, for quantities that are added up.
    public internal(set) var total: Double?
    /// Whether the export was made on its last day or before, so that it is not complete.
    public internal(set) var isPartial = false

    /// Number of days.
    public var days: Int { last.daysSince1970 - first.daysSince1970 + 1 }
    /// Whether every day has data.
    public var isComplete: Bool { daysWithData == days && !isPartial }
}

/// The comparison of a quantity in two periods, part by part.
///
/// Days without data make periods incomparable: a month in which the watch was not worn has fewer steps. A change is
/// stated only where no day of either part is without data.
public struct PeriodComparison: Sendable {
    /// A part of the period and its counterpart; nil where one period has fewer parts.
    public struct Row: Sendable, Equatable {
        /// The part of the period.
        public let part: ComparedPart?
        /// The part of the other period.
        public let other: ComparedPart?

        /// The difference of the means to the other part; nil unless both are complete.
        public var change: Double? {
            guard let part, let other, part.isComplete, other.isComplete, let mean = part.mean,
                let before = other.mean
            else { return nil }
            return mean - before
        }
    }

    /// The periods as a whole.
    public let whole: Row
    /// Their parts, paired by their places; empty if the comparison has no unit.
    public let parts: [Row]
    /// The values by day.
    public let values: DailyValues

    /// Compares two periods.
    ///
    /// - Parameters:
    ///   - values: The values by day.
    ///   - period: The days of the period.
    ///   - other: The days of the other period.
    ///   - unit: The unit of the parts; nil to compare only the whole periods.
    public init(
        _ values: DailyValues, _ period: ClosedRange<CivilDate>, with other: ClosedRange<CivilDate>,
        by unit: CalendarUnit? = nil
    ) {
        self.values = values
        let (mine, theirs) = (values.part(period), values.part(other))
        whole = Row(part: mine, other: theirs)
        guard let unit else {
            parts = []
            return
        }
        let (own, others) = (values.parts(of: period, by: unit), values.parts(of: other, by: unit))
        parts = (0..<max(own.count, others.count)).map { index in
            Row(
                part: own.indices.contains(index) ? own[index] : nil,
                other: others.indices.contains(index) ? others[index] : nil)
        }
    }
}

extension PeriodComparison {
    /// Compares the days of a time range with those of another period; nil if the range has no days with data, or none that
    /// are over.
    ///
    /// A range without an end ends before the day of the export, which is not complete; if it has no start either, it is the
    /// year of its last day.
    ///
    /// - Parameters:
    ///   - values: The values by day, of all time.
    ///   - range: The time range of the period.
    ///   - contents: The contents of the store, which tell when it was exported.
    ///   - other: The other period.
    ///   - unit: The unit of the parts; nil to compare only the whole periods.
    public init?(
        _ values: DailyValues, in range: QueryTimeRange, of contents: StoreContents,
        with other: ComparedPeriod, by unit: CalendarUnit? = nil
    ) {
        let days = values.rule
        let bounds = range.resolved(in: contents, days: days)
        let isOpen = bounds.upperBound == .max
        guard var first = values.days.first?.date.daysSince1970,
            let end = isOpen ? contents.now?.seconds : bounds.upperBound - 1
        else { return nil }
        let last = days.dayNumber(of: end) - (isOpen ? 1 : 0)
        if bounds.lowerBound != .min {
            first = days.dayNumber(of: bounds.lowerBound)
        } else if isOpen {
            let year = CivilDate(daysSince1970: last).year
            first = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? first
        }
        guard first <= last else { return nil }
        let period = CivilDate(daysSince1970: first)...CivilDate(daysSince1970: last)
        self.init(values, period, with: other.days(comparedWith: period), by: unit)
    }
}

extension DailyValues {
    fileprivate func part(_ range: ClosedRange<CivilDate>) -> ComparedPart {
        var part = ComparedPart(first: range.lowerBound, last: range.upperBound)
        var sum = 0.0
        for day in days where range.contains(day.date) {
            part.daysWithData += 1
            sum += day.value
        }
        if part.daysWithData > 0 {
            part.mean = sum / Double(part.daysWithData)
            part.total = option == .sum ? sum : nil
        }
        if let now { part.isPartial = rule.day(of: now) <= range.upperBound }
        return part
    }

    fileprivate func parts(of range: ClosedRange<CivilDate>, by unit: CalendarUnit) -> [ComparedPart] {
        var parts: [ComparedPart] = []
        var first = range.lowerBound
        while first <= range.upperBound {
            let start = rule.start(of: unit, containing: rule.start(ofDay: first.daysSince1970))
            let next = rule.day(of: rule.start(of: unit, 1, after: start))
            let last = min(range.upperBound, CivilDate(daysSince1970: next.daysSince1970 - 1))
            parts.append(part(first...max(first, last)))
            first = CivilDate(daysSince1970: max(first, last).daysSince1970 + 1)
        }
        return parts
    }
}

/// The other period of a comparison.
public enum ComparedPeriod: Sendable, Equatable {
    /// The same dates a year before.
    case lastYear
    /// As many days, immediately before.
    case previous
    /// These days.
    case days(ClosedRange<CivilDate>)

    /// Returns the days of the other period.
    public func days(comparedWith period: ClosedRange<CivilDate>) -> ClosedRange<CivilDate> {
        switch self {
        case .lastYear:
            let first = Self.yearBefore(period.lowerBound)
            return first...max(first, Self.yearBefore(period.upperBound))
        case .previous:
            let start = period.lowerBound.daysSince1970
            let count = period.upperBound.daysSince1970 - start + 1
            return CivilDate(daysSince1970: start - count)...CivilDate(daysSince1970: start - 1)
        case .days(let days): return days
        }
    }

    /// Returns the same date a year before; of 29 February, the 28th.
    private static func yearBefore(_ day: CivilDate) -> CivilDate {
        CivilDate(year: day.year - 1, month: day.month, day: day.day)
            ?? CivilDate(year: day.year - 1, month: day.month, day: 28) ?? day
    }
}
