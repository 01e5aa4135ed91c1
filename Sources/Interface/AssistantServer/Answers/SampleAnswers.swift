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
        var place = 0
        if let cursor = arguments.text("cursor") {
            guard let found = ToolAnswer.Cursor.place(cursor) else {
                throw ToolProblem("cursor must be 'nextCursor' of the page before")
            }
            place = found
        }
        let names = arguments.texts("sources")
        let query = SampleQuery(
            SampleType(type), in: range.query, where: names.isEmpty ? .all : .sources(named: names),
            days: days)
        var answer = answer()
        range.describe(in: &answer)
        answer.columns = ["start", "end", "value", "unit", "source"]
        var (count, values) = (0, ValueTally(type))
        for try await span in store.samples(query) {
            for (index, sample) in span.enumerated() {
                if count + index >= place, count + index - place < limit { row(sample, type, &answer) }
                values.add(sample)
            }
            count += span.count
        }
        let (total, start) = (count, place)
        answer.total = total
        answer.fact("type", ForeignText.shown(type.shortName))
        answer.fact("overall") { writer in values.write(total, &writer) }
        answer.nextPlace = { shown in shown > 0 && start + shown < total ? start + shown : nil }
        return answer
    }

    /// Returns the quantities of a correlation: `bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg`.
    private static func members(_ correlation: CorrelationSample) -> String {
        let members = correlation.quantities.map { quantity in
            let value = quantity.value.map { NumberText.precise($0) } ?? ""
            return "\(quantity.sampleType.shortName) \(value) \(quantity.row["unit"] ?? "")"
        }
        return ForeignText.shown(members.joined(separator: ", "))
    }

    /// Returns when a sample starts, or the day that it is about; nil if neither is known.
    private func start(of sample: AnySample, _ type: AnySampleType) -> String? {
        if type == .activitySummary { return ActivitySummary(row: sample.row).day?.description }
        return sample.startDate.map { days.timestamp($0.seconds).iso }
    }

    private func row(_ sample: AnySample, _ type: AnySampleType, _ answer: inout ToolAnswer) {
        answer.row { writer in
            writer.optional(start(of: sample, type))
            writer.optional(sample.endDate.map { days.timestamp($0.seconds).iso })
            if type.kind == .quantity {
                writer.number(QuantitySample(row: sample.row).value)
            } else if type.kind == .correlation {
                writer.string(Self.members(CorrelationSample(row: sample.row)))
            } else {
                writer.optional(SampleValueText.text(of: sample, type))
            }
            writer.optional(sample.unit.map { AnswerUnit.text($0) })
            writer.string(ForeignText.shown(sample.sourceName ?? ""))
        }
    }

    /// Answers `quality`.
    func quality(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let type = try quantity(named: arguments.text("type") ?? "")
        let range = try range(arguments)
        var answer = answer(merge: .priority())
        range.describe(in: &answer)
        var tallies: [String: SourceTally] = [:]
        var (byHand, total) = (0, 0)
        var dataDays: Set<Int> = []
        for try await span in store.samples(type, in: range.query, days: days) {
            for sample in span {
                total += 1
                tallies[sample.sourceName ?? "", default: SourceTally()].add(sample)
                if let start = sample.startDate { dataDays.insert(days.dayNumber(of: start.seconds)) }
                if sample.metadata.wasUserEntered == true { byHand += 1 }
            }
        }
        if type.aggregationStyle == .cumulative {
            let sums = try await store.statistics(
                [SourceMerge.none, .priority()].map { merge in
                    query(type, [.sum], by: .every(200, .year), in: range, merge: merge)
                })
            for (name, result) in zip(["rawSum", "mergedSum"], sums) {
                answer.fact(name) { $0.number(result.intervals.first?.sum) }
            }
        }
        answer.fact("n", total)
        answer.fact("enteredByHand") {
            $0.number(total == 0 ? nil : (Double(byHand) / Double(total)).rounded(toPlaces: 4))
        }
        answer.fact("daysWithData", dataDays.count)
        answer.fact("days", range.dayCount)
        let numbers = dataDays.sorted()
        let longest = zip(numbers, numbers.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0
        answer.fact("longestGapDays", longest)
        answer.columns = ["source", "n", "firstDay", "lastDay", "hours"]
        for (name, tally) in tallies.sorted(by: { ($0.value.count, $1.key) > ($1.value.count, $0.key) }) {
            answer.row { writer in
                writer.string(ForeignText.shown(name))
                writer.integer(tally.count)
                writer.optional(tally.first.map { days.day(of: $0).description })
                writer.optional(tally.last.map { days.day(of: $0).description })
                writer.number((Double(tally.seconds) / 3600).rounded(toPlaces: 1))
            }
        }
        return answer
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

    func write(_ total: Int, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("n", total)
            if count > 0, units.count == 1 {
                writer.key("mean")
                writer.number(sum / Double(count))
                writer.key("min")
                writer.number(least)
                writer.key("max")
                writer.number(greatest)
            }
            if !names.isEmpty {
                writer.key("values")
                writer.object { writer in
                    for (name, count) in names.sorted(by: { $0.key < $1.key }) {
                        writer.member(ForeignText.shown(name), count)
                    }
                }
            }
        }
    }
}
