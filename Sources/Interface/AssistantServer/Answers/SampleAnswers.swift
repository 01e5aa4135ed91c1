import ByteText
import HealthModel
import HealthVault
import Tables

/// Single samples, as answers.
extension ExposedArchive {
    /// Answers `samples`.
    func samples(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let type = try type(named: arguments.text("type") ?? "")
        let range = try range(arguments)
        let limit = arguments.integer("limit") ?? 50
        let place = try place(arguments)
        let names = arguments.texts("sources")
        let query = SampleQuery(
            SampleType(type), in: range.query, where: names.isEmpty ? .all : .sources(named: names),
            sortedBy: .newestFirst, days: days)
        var (samples, total, values) = ([AnySample](), 0, ValueTally(type))
        for try await span in store.samples(query) {
            for sample in span {
                if total >= place, samples.count < limit { samples.append(sample) }
                values.add(sample)
                total += 1
            }
        }
        let time = LocalTime(days: days)
        let table = Table(
            "rows", samples,
            [
                TableColumn("start") { sample in
                    type == .activitySummary
                        ? ActivitySummary(row: sample.row).day?.description
                        : local(sample.startDate)?.iso
                },
                TableColumn("end") { local($0.endDate) },
                type.kind == .quantity
                    ? TableColumn("value") { QuantitySample(row: $0.row).value }
                    : TableColumn("value") { SampleValueText.text(of: $0, type, time) },
                TableColumn("unit") { $0.unit.map { AnswerUnit.text($0) } },
                TableColumn("source") { ForeignText.shown($0.sourceName ?? "") },
            ],
            facts: [
                ("type", ForeignText.shown(type.shortName)), ("order", "newest first"),
                ("overall", values.object(total)),
            ])
        return answer(table, in: range, total: total, place: place)
    }

    /// Returns the place of the first row of a page; 0 without a cursor.
    func place(_ arguments: ToolArguments) throws(ToolProblem) -> Int {
        guard let cursor = arguments.text("cursor") else { return 0 }
        guard let place = ToolAnswer.Cursor.place(cursor) else {
            throw ToolProblem("cursor must be 'nextCursor' of the page before")
        }
        return place
    }

    /// Answers `quality`.
    func quality(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let type = try quantity(named: arguments.text("type") ?? "")
        let range = try range(arguments)
        var tallies: [String: SourceTally] = [:]
        var (byHand, total) = (0, 0)
        for try await span in store.samples(type, in: range.query, days: days) {
            for sample in span {
                total += 1
                tallies[sample.sourceName ?? "", default: SourceTally()].add(sample)
                if sample.metadata.wasUserEntered == true { byHand += 1 }
            }
        }
        var facts: [TableObject.Member] = []
        if type.aggregationStyle == .cumulative {
            let sums = try await store.statistics(
                [SourceMerge.none, .priority()].map { merge in
                    query(type, [.sum], by: .every(200, .year), in: range, merge: merge)
                })
            facts = zip(["rawSum", "mergedSum"], sums).map { ($0, $1.intervals.first?.sum) }
        }
        // Those of `statistics`: a sample over midnight is on both days.
        let daily = try await store.statistics(query(type, [.duration], by: .calendar(.day), in: range))
        let numbers = daily.intervals.map { days.dayNumber(of: $0.start.seconds) }
        facts += [
            ("n", total), ("enteredByHand", total == 0 ? nil : Double(byHand) / Double(total)),
            ("daysWithData", numbers.count), ("days", range.dayCount),
            ("longestGapDays", zip(numbers, numbers.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0),
        ]
        let table = Table(
            "rows", tallies.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) },
            [
                TableColumn("source") { ForeignText.shown($0.key) }, TableColumn("n") { $0.value.count },
                TableColumn("firstDay") { $0.value.first.map { days.day(of: $0) } },
                TableColumn("lastDay") { $0.value.last.map { days.day(of: $0) } },
                TableColumn("hours") { (Double($0.value.seconds) / 3600).rounded(toPlaces: 1) },
            ], facts: facts)
        return answer(table, in: range, merge: .priority())
    }
}

/// What the samples of a source amount to.
private struct SourceTally: Sendable {
    var count = 0
    var first: Int?
    var last: Int?
    var seconds = 0

    mutating func add(_ sample: QuantitySample) {
        count += 1
        guard let start = sample.startDate?.seconds else { return }
        first = min(first ?? start, start)
        last = max(last ?? start, start)
        if let end = sample.endDate?.seconds, end > start { seconds += min(end - start, 86400) }
    }
}

/// The values of samples.
private struct ValueTally: Sendable {
    private let isQuantity: Bool
    private var count = 0
    private var sum = 0.0
    private var least: Double?
    private var greatest: Double?
    private var units: Set<String> = []
    private var names: [String: Int] = [:]

    init(_ type: AnySampleType) { isQuantity = type.kind == .quantity }

    mutating func add(_ sample: AnySample) {
        guard isQuantity, let value = QuantitySample(row: sample.row).value else {
            if let name = sample.value, names.count < 30 || names[name] != nil {
                names[name, default: 0] += 1
            }
            return
        }
        count += 1
        sum += value
        least = min(least ?? value, value)
        greatest = max(greatest ?? value, value)
        if let unit = sample.unit, units.count < 4 { units.insert(unit) }
    }

    func object(_ total: Int) -> TableObject {
        var members: [TableObject.Member] = [("n", total)]
        if count > 0, units.count == 1 {
            members += [("mean", sum / Double(count)), ("min", least), ("max", greatest)]
        }
        if !names.isEmpty {
            let counts = names.sorted { $0.key < $1.key }
            members.append(("values", TableObject(counts.map { (ForeignText.shown($0.key), $0.value) })))
        }
        return TableObject(members)
    }
}
