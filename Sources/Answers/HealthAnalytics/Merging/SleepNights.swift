import CivilTime
import HealthModel
import HealthQueries

/// Sleep by night: the union of the time in each stage, on the day on which the night ends.
struct SleepNights {
    /// The amounts of each metric by day.
    private(set) var amounts: [Metric: [Int: Amount]] = [:]

    /// The gap that ends a night, in seconds.
    private static let threshold = 3600

    /// Computes the nights from samples whose values are stages.
    init(_ columns: SampleColumns, _ sources: SourceList, _ days: Days) {
        var night: [Int] = []
        var end = Int.min
        for index in columns.order.lazy.map({ Int($0) }) {
            if !night.isEmpty, columns.starts[index] - end >= Self.threshold {
                add(night, columns, sources, day: days.dayNumber(of: end))
                night.removeAll(keepingCapacity: true)
            }
            night.append(index)
            end = max(end, columns.end(index))
        }
        if !night.isEmpty { add(night, columns, sources, day: days.dayNumber(of: end)) }
    }

    private mutating func add(_ night: [Int], _ columns: SampleColumns, _ sources: SourceList, day: Int) {
        func stage(_ index: Int) -> SleepAnalysisValue? {
            SleepAnalysisValue(rawValue: Int(columns.values[index]))
        }
        func add(_ metric: Metric, _ isCounted: (SleepAnalysisValue) -> Bool) {
            let own = night.filter { stage($0).map(isCounted) ?? false }
            var (length, covered) = (0, Int.min)
            for index in own {
                let from = max(columns.starts[index], covered)
                if columns.end(index) > from { length += columns.end(index) - from }
                covered = max(covered, columns.end(index))
            }
            // A night without any sample of a stage has none of it, but its sources are those of the others.
            let names = Set(
                (own.isEmpty ? night : own).map { sources.sources[Int(columns.sources[$0])].name })
            let amount = Amount(value: Double(length) / 60, n: own.count, sources: names.sorted())
            if var before = amounts[metric, default: [:]][day] {
                before.add(amount)
                before.days = 1
                amounts[metric, default: [:]][day] = before
            } else {
                amounts[metric, default: [:]][day] = amount
            }
        }
        let stages = Set(night.compactMap(stage))
        if stages.contains(where: \.isAsleep) { add(.sleepTotal) { $0.isAsleep } }
        // A source that does not tell stages apart says nothing about deep sleep.
        if !stages.isDisjoint(with: [.asleepCore, .asleepDeep, .asleepREM]) {
            add(.sleepDeep) { $0 == .asleepDeep }
            add(.sleepREM) { $0 == .asleepREM }
        }
        if stages.contains(.inBed) { add(.timeInBed) { $0 == .inBed } }
    }
}
