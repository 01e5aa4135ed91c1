import HealthQueries
import Testing

@Suite("Data far before the rest")
struct LoneStartTests {
    private static let day = 86400
    private static let year = 365 * day

    /// Returns days of data, each with a sample.
    private func days(_ starts: [Int], and rest: Range<Int>) -> [LoneStart.Interval] {
        (starts + rest).map { ($0 * Self.day, ($0 + 1) * Self.day, 1) }
    }

    @Test("is found after a gap that is longer than all that follows it, and than two years")
    func gaps() {
        #expect(LoneStart(days([0], and: 18_000..<19_000))?.rest == 18_000 * Self.day)
        #expect(LoneStart(days([0], and: 1001..<2001))?.rest == 1001 * Self.day)
        #expect(LoneStart(days([0], and: 1000..<2000)) == nil)
        #expect(LoneStart(days([0], and: 733..<800))?.rest == 733 * Self.day)
        #expect(LoneStart(days([0], and: 732..<800)) == nil)
        #expect(LoneStart(days([], and: 0..<0)) == nil)
        #expect(LoneStart(days([0], and: 0..<0)) == nil)
    }

    @Test("is at most three intervals, and a tenth as much as the rest")
    func amounts() {
        let three = LoneStart(days([0, 1, 9000], and: 18_000..<19_000))
        #expect(three?.intervals == 3 && three?.count == 3 && three?.starts == 0...(9000 * Self.day))
        #expect(LoneStart(days([0, 1, 2, 9000], and: 18_000..<19_000)) == nil)
        #expect(LoneStart(days([0], and: 18_000..<18_010))?.intervals == 1)
        #expect(LoneStart(days([0], and: 18_000..<18_009)) == nil)
        let many: [LoneStart.Interval] = [(0, Self.year, 200), (45 * Self.year, 46 * Self.year, 1000)]
        #expect(LoneStart(many) == nil)
    }

    @Test("is named with its days")
    func notes() throws {
        let one = try #require(LoneStart(days([0], and: 18_000..<19_000)))
        #expect(one.note("day") { "\($0)" } == "1 day of 0 lies far before the rest; it sets no axis")
        let two = try #require(LoneStart(days([0, 1], and: 18_000..<19_000)))
        #expect(
            two.note("day") { "\($0)" } == "2 days of 0 to 86400 lie far before the rest; they set no axis")
    }
}
