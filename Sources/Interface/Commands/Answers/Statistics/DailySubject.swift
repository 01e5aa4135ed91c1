import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import SystemIO
import Tables
import Wording

/// What has a value on each day: a quantity, sleep, or a stage of it.
enum DailySubject {
    case quantity(SampleType<QuantitySample>)
    case sleep(SleepAnalysisValue?)

    /// Finds what a name stands for: a type or, such as `asleepDeep` or `inBed`, a stage of sleep.
    ///
    /// - Throws: `UsageError` for a type of which days have no value; `VaultError` for an unknown name.
    init(_ name: SampleTypeName, in store: any HealthStore) async throws {
        if case .other(let text) = name, let stage = Self.stage(text) {
            self = .sleep(stage)
            return
        }
        let type = try await KnownSampleType.type(name, in: store)
        if type == .sleepAnalysis {
            self = .sleep(nil)
        } else if let quantity = SampleType<QuantitySample>(type.identifier) {
            self = .quantity(quantity)
        } else {
            throw UsageError(
                .invalidValue, "\(type.shortName) is not a quantity, so it has no daily values",
                hint: type.kind == .category
                    ? "'healthvault stats SOURCE \(type.shortName)' counts its entries by day"
                    : "'healthvault query' lists its samples")
        }
    }

    /// Returns the stage of sleep with a name such as `asleepDeep`.
    static func stage(_ text: String) -> SleepAnalysisValue? {
        SleepAnalysisValue.allCases.first { stage in
            stage.name.dropFirst(SleepAnalysisValue.typeName.count).lowercased() == text.lowercased()
        }
    }

    var isSleep: Bool { if case .sleep = self { true } else { false } }

    /// The type of the samples.
    var type: AnySampleType { if case .quantity(let type) = self { type.erased } else { .sleepAnalysis } }
}

extension AnswerOptions {
    /// Returns the values by day of what names stand for, with the warnings about them.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - merge: How samples of several sources are merged.
    ///   - units: The units of quantities.
    ///   - range: The time range.
    ///   - weekday: The day on which weeks start; nil for Monday.
    ///   - isLaterSaid: Whether to warn of samples that are dated after the export.
    ///   - store: The source.
    /// - Throws: `UsageError` for a type of which days have no value; another error if no sample of one of them counts.
    func dailyValues(
        of names: [SampleTypeName], _ merge: MergeOptions, _ units: UnitChoice, in range: QueryTimeRange,
        firstWeekday weekday: Weekday? = nil, sayingLater isLaterSaid: Bool = true,
        from store: any HealthStore
    ) async throws -> (values: [DailyValues], warnings: [TerminalText]) {
        var subjects: [DailySubject] = []
        for name in names { subjects.append(try await DailySubject(name, in: store)) }
        if subjects.allSatisfy(\.isSleep), merge.isGiven || units != .source {
            throw UsageError(
                .invalidCombination, "sleep has a rule and units of its own, as in 'sleep'",
                hint: "leave out --merge, --priority and --units")
        }
        let given = try days.given
        let queries = subjects.compactMap { subject -> StatisticsQuery? in
            guard case .quantity(let type) = subject else { return nil }
            return StatisticsQuery(
                type, [.daily(of: type)], in: range, where: samples.predicate, merge: merge.rule,
                unit: units.unit(of: type.erased), days: given, firstWeekday: weekday)
        }
        // One pass over the source for all quantities.
        let results = try await queries.isEmpty ? [] : store.statistics(queries).map { units.applied(to: $0) }
        guard results.allSatisfy({ !$0.intervals.isEmpty }) else {
            throw samples.noneCounted(in: results, of: source.path)
        }
        var warnings = results.warnings
        var rest = results[...]
        var values: [DailyValues] = []
        for subject in subjects {
            switch subject {
            case .quantity(let type):
                if let result = rest.popFirst() { values.append(DailyValues(result, .daily(of: type))) }
            case .sleep(let stage):
                let found = try await store.sleepTimes(in: range, where: samples.predicate, days: given)
                let contents = try await store.contents()
                let rule = (given ?? contents.days).startingWeeks(on: weekday ?? .monday)
                let sleep = DailyValues(found, stage, rule, now: contents.exportDate?.seconds)
                guard !sleep.days.isEmpty else { throw found.noneLeft(of: source.path) }
                let said = found.warnings + found.hints
                warnings += said.map { subjects.count == 1 ? $0 : "\(sleep.title): \($0)" }
                values.append(sleep)
            }
        }
        guard isLaterSaid else { return (values, warnings) }
        let later = time.warnings(
            onLater: subjects.map(\.type), in: range, of: try await store.contents(), given)
        return (values, warnings + later)
    }
}
