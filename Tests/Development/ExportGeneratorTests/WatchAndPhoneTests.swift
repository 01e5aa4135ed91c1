import ExportGenerator
import Testing

@Suite("A watch and a phone record the same walks")
struct WatchAndPhoneTests {
    private static let steps = "HKQuantityTypeIdentifierStepCount"
    private static let types = [
        steps, "HKQuantityTypeIdentifierDistanceWalkingRunning", "HKQuantityTypeIdentifierActiveEnergyBurned",
    ]

    private static let generated = export { options in
        options.shape = .watchAndPhone
        options.xmlBytes = 3_000_000
    }
    private static let census = generated.census()
    private static let lines = generated.xmlText.split(separator: "\n")

    @Test("counting each second once, from the watch first, gives the true total", arguments: types)
    func trueTotal(type: String) throws {
        let total = try #require(Self.census.trueTotals[type])
        let swept = Self.rates(Self.records(type)).values.reduce(0, +)
        // Records have whole steps, but distances and energy with all their digits.
        let tolerance = type == Self.steps ? 0.001 : 0.000_001
        #expect(abs(swept - total) <= tolerance * total)
    }

    @Test("counting each second once gives the true steps whatever the size and the seed", arguments: 1...8)
    func trueSteps(seed: Int) throws {
        let export = export { options in
            options.shape = .watchAndPhone
            options.xmlBytes = 200_000 + 100_000 * seed
            options.seed = UInt64(seed)
        }
        let lines = export.xmlText.split(separator: "\n")
        let records = lines.compactMap { DeviceRecord($0, ofType: Self.steps) }
        let total = try #require(export.census().trueTotals[Self.steps])
        #expect(abs(Self.rates(records).values.reduce(0, +) - total) <= 0.001 * total)
    }

    @Test("the sum of all records is the naive total, which is much more than the true one", arguments: types)
    func naiveTotal(type: String) throws {
        let naive = try #require(Self.census.naiveTotals[type])
        let sum = Self.records(type).reduce(0.0) { $0 + $1.value }
        #expect(abs(sum - naive) <= 0.000_001 * naive)
        #expect(naive > 1.25 * (Self.census.trueTotals[type] ?? 0))
    }

    @Test("steps are whole, and so are their totals")
    func wholeSteps() {
        #expect(Self.records(Self.steps).allSatisfy { $0.value == $0.value.rounded() && $0.value > 0 })
        for totals in [Self.census.trueTotals, Self.census.naiveTotals] {
            #expect(totals[Self.steps].map { $0 == $0.rounded() } == true)
        }
    }

    @Test("the watch records minutes, the phone about ten, and neither overlaps itself", arguments: types)
    func lengths(type: String) {
        let (watch, phone) = Self.devices(type)
        #expect(watch.allSatisfy { (60...600).contains($0.end - $0.start) })
        #expect(phone.allSatisfy { (540...660).contains($0.end - $0.start) })
        for records in [watch, phone] {
            let ordered = records.sorted { $0.start < $1.start }
            #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.end <= $1.start })
        }
    }

    @Test("no boundary is one of both devices", arguments: types)
    func boundaries(type: String) {
        let (watch, phone) = Self.devices(type)
        let watchBoundaries = Set(watch.flatMap { [$0.start, $0.end] })
        #expect(phone.allSatisfy { !watchBoundaries.contains($0.start) && !watchBoundaries.contains($0.end) })
    }

    @Test("each device records alone at times, and the watch sometimes a part of the walk", arguments: types)
    func coverage(type: String) {
        let (watch, phone) = Self.devices(type)
        let watchRates = Self.rates(watch)
        let phoneRates = Self.rates(phone)
        let covered = phone.map { record in
            let seconds = record.start..<record.end
            return seconds.count { watchRates[$0] != nil } * 100 / seconds.count
        }
        #expect(covered.contains(0))
        #expect(covered.contains(100))
        #expect(covered.contains { (10...80).contains($0) })
        #expect(watch.contains { record in (record.start..<record.end).allSatisfy { phoneRates[$0] == nil } })
    }

    @Test("the phone counts a little less than the watch where both record", arguments: types)
    func phoneShare(type: String) {
        let (watch, phone) = Self.devices(type)
        let watchRates = Self.rates(watch)
        var (truth, measured) = (0.0, 0.0)
        for record in phone {
            let rates = (record.start..<record.end).compactMap { watchRates[$0] }
            guard rates.count == record.end - record.start else { continue }
            truth += rates.reduce(0, +)
            measured += record.value
        }
        #expect(measured > 0.85 * truth && measured < truth)
    }

    @Test("records are about in the order of time, all over the years", arguments: types)
    func order(type: String) {
        let records = Self.records(type)
        var latest = Int.min
        for record in records {
            #expect(record.start >= latest || latest - record.start < 660)
            latest = max(latest, record.start)
        }
        // 2017-01-01 and 2025-01-01.
        #expect((records.first?.start ?? .max) < 1_483_228_800)
        #expect((records.last?.start ?? .min) > 1_735_689_600)
    }

    @Test("other shapes have no totals")
    func otherShapes() {
        for shape in GeneratedExport.Options.Shape.allCases where shape != .watchAndPhone {
            let census = export { $0.shape = shape }.census()
            #expect(census.trueTotals.isEmpty && census.naiveTotals.isEmpty, "\(shape)")
        }
    }

    private static func records(_ type: String) -> [DeviceRecord] {
        lines.compactMap { DeviceRecord($0, ofType: type) }
    }

    private static func devices(_ type: String) -> (watch: [DeviceRecord], phone: [DeviceRecord]) {
        let records = Self.records(type)
        return (records.filter(\.isFromWatch), records.filter { !$0.isFromWatch })
    }

    /// The amount in each second: from the watch where it recorded, else from the phone.
    private static func rates(_ records: [DeviceRecord]) -> [Int: Double] {
        var rates: [Int: Double] = [:]
        for isFromWatch in [false, true] {
            for record in records where record.isFromWatch == isFromWatch {
                for second in record.start..<record.end { rates[second] = record.rate }
            }
        }
        return rates
    }
}
