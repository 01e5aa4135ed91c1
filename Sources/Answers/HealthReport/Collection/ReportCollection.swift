import ByteText
import HealthModel
import HealthQueries

/// Everything that a report shows, collected in one pass: values by day instead of samples.
struct ReportCollection: Sendable {
    let request: ReportRequest
    let contents: StoreContents
    let days: Days
    /// The selected range, in seconds since 1970: up to the day of the export, if it has no end of its own.
    let range: Range<Int>
    private(set) var series: [(type: AnySampleType, series: DaySeries)] = []
    private(set) var nights: [Night] = []
    private(set) var workouts: [WorkoutSummary] = []
    private(set) var tallies: [CategoryTally] = []
    private(set) var clinical: [ClinicalList] = []
    private(set) var hearingTests: [HearingTest] = []
    /// The steps by hour of the week.
    private(set) var hours: HoursOfWeek?
    /// The day of birth; nil if it is not needed or not stated.
    let birth: CivilDate?
    /// The rule for heart-rate zones; nil if no maximum heart rate is known.
    let zones: HeartRateZones?
    /// The number of samples of sleep that last too long to count.
    var overlongSleep: Int { sleep.overlong }
    /// The other time zone that most samples of sleep name.
    var sleepElsewhere: SleepZones.Elsewhere? { sleep.zones?.elsewhere }

    /// The seconds before the range that are read as well, because samples and nights may reach into it.
    private static let lookback = StatisticsQuery.longestLookback
    private static let sleepThreshold = 3600

    /// The type that is being collected.
    private var statistics: IntervalStatistics?
    private var current: (type: AnySampleType, series: DaySeries)?
    private var sleep = OpenSleepSessions(threshold: sleepThreshold)
    /// The statistics by hour of the type that is being collected.
    private var hourly: IntervalStatistics?
    /// The time in each zone, while heart rates are collected.
    private var tally: ZoneTally?

    private init(_ request: ReportRequest, _ contents: StoreContents, birth: CivilDate?) {
        let maximum = request.maximumHeartRate.map { HeartRateZones.Maximum.stated($0) }
        zones = (maximum ?? birth.map { .age($0) }).map { HeartRateZones(maximum: $0) }
        self.request = request
        self.birth = birth
        self.contents = contents
        let days = request.days ?? contents.days
        self.days = request.firstWeekday.map { days.startingWeeks(on: $0) } ?? days
        range = request.range.endingWithExport.resolved(in: contents, days: request.days)
        sleep.range = range
        if request.days == nil { sleep.zones = SleepZones(days) }
    }

    /// Reads a store.
    static func collect(
        _ store: any HealthStore, _ request: ReportRequest, _ progress: (String, Int, Int) -> Void
    ) async throws -> ReportCollection {
        let types = ReportTypes.types(for: request.sections)
        // Heart rates are told apart by the workouts that they lie in.
        let spans = store.spans(
            of: types, unknown: ReportTypes.unknownKinds(for: request.sections),
            in: request.range.endingWithExport, lookback: lookback, days: request.days, leading: .workout)
        var pass = spans.makeAsyncIterator()
        let first = try await pass.next()
        // An export knows its contents, and so its days, only once it was read, which the first span requires.
        let contents = try await store.contents()
        let needsBirth = request.sections.contains(.workouts) || request.name != nil
        let birth = needsBirth ? try await store.characteristics().dateOfBirth : nil
        var collection = ReportCollection(request, contents, birth: birth)
        let total = contents.types.total { types.contains($0.type) ? $0.count : 0 }
        var (next, last, done) = (first, first?.type, 0)
        while let samples = next {
            if let type = last, type != samples.type {
                done = min(total, done + (contents.extent(of: type)?.count ?? 0))
                last = samples.type
            }
            progress(samples.type.title, done, total)
            try collection.append(samples)
            next = try await pass.next()
        }
        try collection.finishType()
        return collection
    }

    private mutating func append(_ samples: Samples<AnySample>) throws {
        if let type = current?.type, type != samples.type { try finishType() }
        if samples.type == .sleepAnalysis, let samples = samples.converted(to: CategorySample.self) {
            try append(sleep: samples)
        } else if let quantities = samples.converted(to: QuantitySample.self),
            let type = SampleType<QuantitySample>(samples.type.identifier)
        {
            try append(quantities, type)
        } else if let categories = samples.converted(to: CategorySample.self) {
            if tallies.last?.type != samples.type { tallies.append(CategoryTally(samples.type)) }
            for sample in categories where isIn(sample.startDate) {
                tallies[tallies.count - 1].add(sample, days)
            }
        } else {
            appendOther(samples)
        }
    }

    private mutating func appendOther(_ samples: Samples<AnySample>) {
        switch samples.type {
        case .workout:
            for sample in samples where isIn(sample.startDate) {
                workouts.append(WorkoutSummary(Workout(row: sample.row)))
            }
        case .audiogram:
            for sample in samples where isIn(sample.startDate) {
                hearingTests.append(HearingTest(AudiogramSample(row: sample.row)))
            }
        default:
            for sample in samples where sample.element == "ClinicalRecord" {
                let record = ClinicalRecord(row: sample.row)
                guard isIn(record.receivedDate ?? record.startDate) else { continue }
                let name = record.resourceType ?? ""
                if clinical.last?.resourceType != name { clinical.append(ClinicalList(resourceType: name)) }
                clinical[clinical.count - 1].add(record)
            }
        }
    }

    /// What is left out because it is dated after the export, in words; nil if there is nothing.
    var laterThanExport: String? {
        guard request.range != request.range.endingWithExport else { return nil }
        let later = contents.types.filter { $0.last.map { $0.seconds >= range.upperBound } ?? false }
        guard let last = later.compactMap(\.last?.seconds).max() else { return nil }
        let titles = later.prefix(Self.namedTypes).map(\.type.title)
        let rest = later.count > titles.count ? ["\(later.count - titles.count) more"] : []
        return """
            Samples that are dated after the export, up to \(days.day(of: last)), are left out: \
            \((titles + rest).joined(separator: ", ")).
            """
    }

    private static let namedTypes = 5

    private func isIn(_ time: Timestamp?) -> Bool {
        guard let time else { return request.range.isUnlimited }
        return range.contains(time.seconds)
    }

    private mutating func append(
        _ samples: Samples<QuantitySample>, _ type: SampleType<QuantitySample>
    ) throws {
        if current == nil {
            let query = StatisticsQuery(
                type, merge: request.merge,
                unit: request.system.flatMap { type.erased.preferredUnit(in: $0) })
            statistics = try IntervalStatistics(query, days: days, in: range)
            if type == .stepCount, request.sections.contains(.activity) {
                var hours = query
                hours.interval = .calendar(.hour)
                hours.most *= 24
                hourly = try IntervalStatistics(hours, days: days, in: range)
                self.hours = HoursOfWeek(isSummed: true)
            }
            if type == .heartRate, request.sections.contains(.workouts), let zones {
                let ranges = workouts.map { workout -> Range<Int>? in
                    guard let start = workout.start, let end = workout.end, start.seconds < end.seconds else {
                        return nil
                    }
                    return start.seconds..<end.seconds
                }
                tally = ZoneTally(ranges, zones, days)
            }
            current = (
                type.erased,
                DaySeries(
                    title: type.title, unit: "", format: .number,
                    isSummed: type.aggregationStyle == .cumulative, rule: request.merge.rule)
            )
        }
        try updateStatistics { try $0.append(samples, $1) }
        tally?.add(samples)
    }

    /// Adds to the statistics of the current type, and collects the days and hours that this completes.
    private mutating func updateStatistics(
        _ body: (inout IntervalStatistics, (Statistics) -> Void) throws -> Void
    ) throws {
        let days = days
        if var statistics = hourly.take(), var found = hours.take() {
            try body(&statistics) { found.append($0, days) }
            (hourly, hours) = (statistics, found)
        }
        if var statistics = statistics.take(), var found = current.take() {
            try body(&statistics) { day in
                guard let value = found.series.isSummed ? day.sum : day.average else { return }
                found.series.values.append(
                    DaySeries.Value(
                        day: Int32(clamping: days.dayNumber(of: day.start.seconds)), value: value,
                        low: Float(day.minimum ?? value), high: Float(day.maximum ?? value)))
            }
            (self.statistics, current) = (statistics, found)
        }
    }

    /// Finishes the type that was collected last.
    private mutating func finishType() throws {
        for session in sleep.finish() { append(session) }
        try updateStatistics { try $0.finish($1) }
        for (index, seconds) in (tally?.finished() ?? []).enumerated() { workouts[index].zones = seconds }
        defer { (statistics, hourly, tally, current) = (nil, nil, nil, nil) }
        guard let statistics, let type = current?.type, var found = current?.series else { return }
        found.skipped = statistics.skipped
        let unit = statistics.unit ?? .null
        let shown = request.system == nil ? statistics.sourceUnit ?? unit : unit
        let conversion = unit.conversion(to: shown)
        found.sources = statistics.sources.filter { $0.count > 0 }.map { source in
            DaySeries.Source(
                name: source.name, count: source.count, sum: conversion.map { $0(source.sum) } ?? source.sum)
        }
        if let conversion, shown != unit {
            found.values = found.values.map { $0.converted { conversion($0) } }
        }
        found.format = shown == .percent ? .percent : .number
        found.unit = UnitText.text(shown, of: type)
        if !found.values.isEmpty { series.append((type, found)) }
    }

    private mutating func append(sleep samples: Samples<CategorySample>) throws {
        for sample in samples { append(try sleep.add(sample)) }
    }

    private mutating func append(_ session: SleepSession?) {
        if let session, range.contains(session.end.seconds) { nights.append(Night(session, days)) }
    }
}

extension DaySeries.Value {
    fileprivate func converted(_ conversion: (Double) -> Double) -> Self {
        Self(
            day: day, value: conversion(value), low: Float(conversion(Double(low))),
            high: Float(conversion(Double(high))))
    }
}
