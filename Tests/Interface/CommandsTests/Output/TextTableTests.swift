import SystemIO
import Testing

@testable import Commands

/// Tables of which a terminal shows only so many columns.
@Suite struct TextTableTests {
    private static let rows: [[TerminalText]] = [
        ["2024-01-01 10:00:00", "61.5", "count/min", "Somebody\u{2019}s Apple Watch with a long name"],
        ["2024-01-02 10:00:00", "1,061", "count/min", "Watch"],
    ]

    private func lines(fitting limit: Int?, optional: Set<Int> = []) -> [String] {
        var table = TextTable(
            [.left, .right, .left, .left], optional: optional, fitting: limit, ellipsis: "...")
        return table.lines(Self.rows).map(\.text)
    }

    @Test func withoutALimitNothingIsCut() {
        let lines = lines(fitting: nil)
        #expect(lines[0].hasSuffix("with a long name") && lines[1].contains("1,061"))
    }

    @Test(arguments: [80, 60, 48])
    func theLongestTextIsCut(limit: Int) {
        let lines = lines(fitting: limit)
        #expect(lines.allSatisfy { $0.count <= limit })
        #expect(lines[0].hasPrefix("2024-01-01 10:00:00   61.5  count/min  Some"))
        #expect(limit > 74 || lines[0].hasSuffix("..."))
    }

    @Test func pathsAreCutAtTheirStart() {
        var table = TextTable([.path, .right], fitting: 20, ellipsis: "...")
        #expect(
            table.lines([["study/anna/health.hvault", "61.5"], ["b.zip", "1"]]).map(\.text)
                == ["...alth.hvault  61.5", "b.zip              1"])
    }

    @Test func optionalColumnsAreLeftOutFirst() {
        let lines = lines(fitting: 70, optional: [2])
        #expect(lines.allSatisfy { $0.count <= 70 && !$0.contains("count/min") })
        #expect(lines[0].hasSuffix("with a long name"))
    }

    @Test func numbersAreNeverCut() {
        #expect(lines(fitting: 10).allSatisfy { $0.contains("61") })
    }
}
