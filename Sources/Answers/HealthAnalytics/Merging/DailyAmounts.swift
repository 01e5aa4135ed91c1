import CivilTime
import HealthModel

/// The amounts of all metrics, by day and by longer periods.
struct DailyAmounts {
    /// The amounts by day, as days since 1970-01-01, at the places of their metrics.
    private(set) var days: [Int: [Amount?]] = [:]

    /// Computes the amounts, and releases the samples type by type.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - rule: The rule for days.
    ///   - merge: How samples of several sources are merged.
    ///   - willCompute: Called with each metric and the number of those before it.
    init(
        _ samples: consuming AnalyticsSamples, _ rule: Days, _ merge: SourceMerge,
        willCompute: (Metric, Int) -> Void
    ) {
        let fold = MetricFold(rule: rule, merge: merge)
        let runs = RunningTime(samples.runs)
        for (number, metric) in Metric.allCases.enumerated() {
            willCompute(metric, number)
            if let type = metric.summedType {
                guard let (columns, sources) = samples.remove(type.erased) else { continue }
                add(fold.sums(columns, sources), metric)
            } else if metric == .walkingDistance {
                let type = SampleType<QuantitySample>.distanceWalkingRunning.erased
                guard let (columns, sources) = samples.remove(type) else { continue }
                let (walking, running) = fold.split(columns, sources, runs)
                add(walking, .walkingDistance)
                add(running, .runningDistance)
            } else if metric == .heartbeats {
                let type = SampleType<QuantitySample>.heartRate.erased
                guard let (columns, sources) = samples.remove(type) else { continue }
                add(fold.heartbeats(columns, sources), metric)
            } else if metric == .sleepTotal {
                let type = SampleType<CategorySample>.sleepAnalysis.erased
                guard let (columns, sources) = samples.remove(type) else { continue }
                for (metric, amounts) in SleepNights(columns, sources, rule).amounts { add(amounts, metric) }
            }
        }
    }

    private mutating func add(_ amounts: [Int: Amount], _ metric: Metric) {
        for (day, amount) in amounts {
            days[day, default: Array(repeating: nil, count: Metric.allCases.count)][metric.place] = amount
        }
    }

    /// Returns the amounts of longer periods as sums of those of their days, added up in the order of the days.
    func sums(by period: AnalyticsPeriod, _ firstWeekday: Weekday) -> [ClosedRange<CivilDate>: [Amount?]] {
        var sums: [ClosedRange<CivilDate>: [Amount?]] = [:]
        for (number, amounts) in days.sorted(by: { $0.key < $1.key }) {
            let range = period.range(containing: CivilDate(daysSince1970: number), firstWeekday)
            guard var sum = sums.removeValue(forKey: range) else {
                sums[range] = amounts
                continue
            }
            for (place, amount) in amounts.enumerated() {
                guard let amount else { continue }
                if sum[place]?.add(amount) == nil { sum[place] = amount }
            }
            sums[range] = sum
        }
        return sums
    }
}

/// The computations from samples to amounts by day.
private struct MetricFold {
    let rule: Days
    let merge: SourceMerge

    private var names: [String] { if case .priority(let names) = merge { names } else { [] } }

    private func merging(_ ranks: [Int]) -> SegmentMerge {
        if case .priority = merge { SegmentMerge(ranks: ranks) } else { SegmentMerge(ranks: nil) }
    }

    private func amounts(
        _ tally: DayTally, _ sources: SourceList, _ ranks: [Int], isCovered: Bool = false
    ) -> [Int: Amount] {
        tally.amounts(sources, ranks: ranks, keepsGreatest: merge == .maximumSource, isCovered: isCovered)
    }

    func sums(_ columns: SampleColumns, _ sources: SourceList) -> [Int: Amount] {
        let ranks = sources.ranks(first: names)
        var tally = DayTally(rule)
        merging(ranks).forEachPart(of: columns) { index, from, to in
            tally.add(index, Int(columns.sources[index]), from, to) { columns.amount(index, seconds: $0) }
        }
        return amounts(tally, sources, ranks)
    }

    func split(
        _ columns: SampleColumns, _ sources: SourceList, _ runs: RunningTime
    ) -> (walking: [Int: Amount], running: [Int: Amount]) {
        let ranks = sources.ranks(first: names)
        var (walking, running) = (DayTally(rule), DayTally(rule))
        merging(ranks).forEachPart(of: columns) { index, from, to in
            let source = Int(columns.sources[index])
            runs.forEachPart(from, to) { from, to, isRunning in
                if isRunning {
                    running.add(index, source, from, to) { columns.amount(index, seconds: $0) }
                } else {
                    walking.add(index, source, from, to) { columns.amount(index, seconds: $0) }
                }
            }
        }
        return (amounts(walking, sources, ranks), amounts(running, sources, ranks))
    }

    func heartbeats(_ columns: consuming SampleColumns, _ sources: SourceList) -> [Int: Amount] {
        let ranks = sources.ranks(first: names)
        columns.extendToNext(isJoint: merge == .none)
        let columns = columns
        var tally = DayTally(rule)
        merging(ranks).forEachPart(of: columns) { index, from, to in
            guard from < to else { return }
            tally.add(index, Int(columns.sources[index]), from, to) {
                columns.values[index] * Double($0) / 60
            }
        }
        return amounts(tally, sources, ranks, isCovered: true)
    }
}

extension SampleColumns {
    /// Returns the part of a sample's value that a number of its seconds has; all of a value at one instant.
    fileprivate func amount(_ index: Int, seconds: Int) -> Double {
        lengths[index] == 0 ? values[index] : values[index] * (Double(seconds) / Double(lengths[index]))
    }
}
