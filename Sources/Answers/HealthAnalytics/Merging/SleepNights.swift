import CivilTime
import HealthModel
import HealthQueries

/// Sleep by night: the union of the time in each stage, on the day on which the night ends.
///
/// Only the samples of the current night are kept.
struct SleepNights: Sendable {
    /// The amounts of each metric by day.
    private(set) var amounts: [Metric: [Int: Amount]] = [:]
    private let days: Days
    private var night: [DaySweep.Item] = []
    private var end = Int.min

    /// The gap that ends a night, in seconds.
    private static let threshold = 3600
    /// The value of samples with an unknown stage.
    private static let unknownStage = 7.0

    init(_ days: Days) { self.days = days }

    /// Returns the value of a sample's stage.
    static func value(of sample: CategorySample) -> Double {
        let stage = sample.rawValue.flatMap { SleepAnalysisValue(rawValue: $0) }
        return stage.map { Double($0.rawValue) } ?? unknownStage
    }

    /// Adds a sample whose value is a stage, and which starts no earlier than the one before.
    mutating func append(_ item: DaySweep.Item, _ sources: inout SourceList) {
        if !night.isEmpty, item.start - end >= Self.threshold { finish(&sources) }
        night.append(item)
        end = max(end, item.end)
    }

    /// Completes the current night.
    mutating func finish(_ sources: inout SourceList) {
        guard !night.isEmpty else { return }
        defer { (night, end) = ([], .min) }
        let stages = Set(night.compactMap { Self.stage($0) })
        if stages.contains(where: \.isAsleep) { add(.sleepTotal, &sources) { $0.isAsleep } }
        // A source that does not tell stages apart says nothing about deep sleep.
        if !stages.isDisjoint(with: [.asleepCore, .asleepDeep, .asleepREM]) {
            add(.sleepDeep, &sources) { $0 == .asleepDeep }
            add(.sleepREM, &sources) { $0 == .asleepREM }
        }
        if stages.contains(.inBed) { add(.timeInBed, &sources) { $0 == .inBed } }
    }

    private static func stage(_ item: DaySweep.Item) -> SleepAnalysisValue? {
        SleepAnalysisValue(rawValue: Int(item.value))
    }

    private mutating func add(
        _ metric: Metric, _ sources: inout SourceList, _ isCounted: (SleepAnalysisValue) -> Bool
    ) {
        let own = night.filter { Self.stage($0).map(isCounted) ?? false }
        var (length, covered) = (0, Int.min)
        for item in own {
            let from = max(item.start, covered)
            if item.end > from { length += item.end - from }
            covered = max(covered, item.end)
        }
        // A night without any sample of a stage has none of it, but its sources are those of the others.
        let numbers = Set((own.isEmpty ? night : own).map(\.source)).sorted()
        let amount = Amount(
            value: Double(length) / 60, n: own.count, sources: sources.names(of: numbers))
        let day = days.dayNumber(of: end)
        if var before = amounts[metric, default: [:]][day] {
            before.add(amount)
            before.days = 1
            amounts[metric, default: [:]][day] = before
        } else {
            amounts[metric, default: [:]][day] = amount
        }
    }
}
