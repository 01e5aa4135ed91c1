import ByteText
import Testing

@testable import HealthReport

@Suite("The time of workouts in zones of the heart rate")
struct ZoneTallyTests {
    private struct Rate {
        let value: Double
        let start: Int
        let end: Int
        let source: String
    }

    /// Counts each second by itself.
    private static func counted(_ range: Range<Int>, _ rates: [Rate], maximum: Double) -> [Int]? {
        var best: [Int]?
        for source in Set(rates.map(\.source)).sorted() {
            var seconds = [Int](repeating: 0, count: HeartRateZones.names.count)
            let own = rates.filter { $0.source == source }
            for second in range {
                guard let rate = own.last(where: { $0.start <= second }) else { continue }
                let isInstant = rate.end == rate.start
                let same = own.filter { $0.start == rate.start }.map(\.value)
                let value = isInstant ? same.reduce(0, +) / Double(same.count) : rate.value
                if second < (isInstant ? rate.start + 600 : rate.end) {
                    seconds[HeartRateZones.zone(value, maximum: maximum)] += 1
                }
            }
            if seconds.reduce(0, +) > best?.reduce(0, +) ?? 0 { best = seconds }
        }
        return best
    }

    /// Numbers that are the same in each run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test(
        "is that of counting seconds, for workouts that overlap and sources that take turns",
        arguments: 0..<20)
    func counting(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 2 + 1)
        let ranges: [Range<Int>?] = (0..<30).map { number in
            let start = Int.random(in: 0..<5000, using: &dice)
            return number == 7 ? nil : start..<(start + Int.random(in: 0..<3000, using: &dice))
        }
        let rates = (0..<60).map { _ in
            // Several of a source may be at the same instant.
            let start = Int.random(in: -5..<85, using: &dice) * 100
            return Rate(
                value: Double(Int.random(in: 40...210, using: &dice)), start: start,
                end: start + max(0, Int.random(in: -900...900, using: &dice)),
                source: ["Watch", "Strap", "Ring"][Int.random(in: 0..<3, using: &dice)])
        }.sorted { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }
        var tally = ZoneTally(ranges, HeartRateZones(maximum: .stated(200)), .utc)
        for rate in rates { tally.add(rate.value, start: rate.start, end: rate.end, source: rate.source) }
        let found = tally.finished()
        #expect(found.count == ranges.count)
        for (range, seconds) in zip(ranges, found) {
            #expect(seconds == range.flatMap { Self.counted($0, rates, maximum: 200) })
        }
    }

    @Test(
        "is in the first or the last zone for whatever number somebody wrote",
        arguments: [1e30, 1e308, -1e308])
    func absurdRates(value: Double) {
        #expect(HeartRateZones.zone(value, maximum: 190) == (value > 0 ? 5 : 0))
        #expect(HeartRateZones.zone(value, maximum: .leastNormalMagnitude) == (value > 0 ? 5 : 0))
    }

    @Test("uses the age on the day of each workout")
    func ages() throws {
        let birth = try #require(CivilDate(year: 1970, month: 1, day: 2))
        let ranges: [Range<Int>?] = [0..<1000, 864_000..<865_000]
        var tally = ZoneTally(ranges, HeartRateZones(maximum: .age(birth)), .utc)
        for day in [0, 864_000] { tally.add(190, start: day, end: day + 1000, source: "Watch") }
        // On the first day the person is not born yet.
        #expect(tally.finished() == [nil, [0, 0, 0, 0, 1000, 0]])
    }
}
