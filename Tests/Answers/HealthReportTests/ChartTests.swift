import ByteText
import Testing

@testable import HealthReport

/// A generator of numbers that are the same in each run.
private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 2 + 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

@Suite("The model of charts")
struct ChartTests {
    @Test("a scale contains all values between its first and last tick, in even steps", arguments: 0..<400)
    func scales(seed: Int) {
        var dice = Dice(UInt64(seed))
        let size = [1e-12, 1e-3, 1, 300, 1e6, 1e15, 1e200][seed % 7]
        var values = [
            Double.random(in: -size...size, using: &dice), Double.random(in: -size...size, using: &dice),
        ]
        if seed % 5 == 0 { values[1] = values[0] }
        if seed % 11 == 0 { values = [0, 0] }
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        let most = 2 + seed % 9
        let steps = seed % 3 == 0 ? ChartNumber.Format.clock.steps : []
        let scale = ValueScale(covering: low...high, most: most, steps: steps)
        let room = max(abs(low), abs(high)) * 1e-9
        #expect(scale.domain.lowerBound <= low + room && high <= scale.domain.upperBound + room)
        #expect((2...(most + 1)).contains(scale.ticks.count), "\(scale.ticks)")
        for (first, second) in zip(scale.ticks, scale.ticks.dropFirst()) {
            #expect(first < second && abs(second - first - scale.step) <= scale.step * 1e-6 + room)
        }
        let drawn = -1e-6...1 + 1e-6
        #expect(drawn.contains(scale.fraction(low)) && drawn.contains(scale.fraction(high)))
        #expect(scale.fraction(scale.ticks[0]) == 0)
    }

    @Test("bars begin at zero, so that their lengths can be compared")
    func bars() {
        let panel = ChartPanel(entries: [
            ChartEntry("a", .bar, [ChartPoint(0, 1, 90), ChartPoint(1, 2, 100)])
        ])
        #expect(panel.scale(most: 5).domain.lowerBound == 0)
        let negative = ChartPanel(entries: [ChartEntry("a", .bar, [ChartPoint(0, 1, -5)])])
        #expect(negative.scale(most: 5).domain.upperBound >= 0)
    }

    @Test("stacked bars fit on the scale together")
    func stacks() {
        let entries = [30.0, 40, 50].map { ChartEntry("e", .bar, [ChartPoint(0, 1, $0)]) }
        #expect(ChartPanel(entries: entries, isStacked: true).values == 0...120)
        #expect(ChartPanel(entries: entries).values == 0...50)
        let layers = ChartPanel(entries: entries, isStacked: true).layers(first: 3)
        #expect(layers.map(\.bases) == [[0], [30], [70]] && layers.map(\.number) == [3, 4, 5])
    }

    /// The rules, by the length of the axis.
    @Test(
        "ticks of time are as far apart as the length of the axis requires",
        arguments: [
            (3600, 600), (12 * 3600, 3600), (24 * 3600, 3 * 3600), (7 * 86400, 86400),
            (31 * 86400, 7 * 86400),
        ])
    func rules(length: Int, step: Int) {
        // 2024-06-03, a Monday, at midnight.
        let start = 1_717_365_600
        let ticks = ChartAxis.time(start..<(start + length), Days(offsetMinutes: 120)).ticks(most: 4)
        #expect(ticks.count >= length / step)
        for (first, second) in zip(ticks, ticks.dropFirst()) {
            #expect(Int(second.position - first.position) == step)
        }
    }

    @Test("ticks of time are inside the axis, in order, and not too many", arguments: 0..<300)
    func timeTicks(seed: Int) throws {
        var dice = Dice(UInt64(seed))
        let start = Int.random(in: -2_000_000_000...4_000_000_000, using: &dice)
        let length = 1 << Int.random(in: 8...33, using: &dice)
        let days = Days(offsetMinutes: Int.random(in: -720...840, using: &dice))
        let most = Int.random(in: 2...12, using: &dice)
        let ticks = ChartAxis.time(start..<(start + length), days).ticks(most: most)
        for (first, second) in zip(ticks, ticks.dropFirst()) { #expect(first.position < second.position) }
        for tick in ticks {
            #expect(
                tick.position >= Double(start) && tick.position <= Double(start + length)
                    && !tick.label.isEmpty)
        }
        #expect(ticks.count <= (length > 31 * 86400 + 3600 ? most : 14))
        // An axis that is longer than the steps of its rule has a tick.
        if length >= 3600, length <= 31 * 86400, length >= 2 * 604_800 || length < 604_800 {
            #expect(ticks.count > 0)
        }
    }

    @Test("a line is broken where values are missing")
    func gaps() {
        let entry = ChartEntry(
            "a", .line,
            [
                ChartPoint(0, 1, 1), ChartPoint(1, 2, 1), ChartPoint(5, 6, 1), ChartPoint(7, 8, .nan),
                ChartPoint(8, 9, 1),
            ])
        #expect(entry.runs.map(\.count) == [2, 1, 1])
        #expect(entry.runs.flatMap { $0 } == entry.points)
    }

    @Test("numbers are written with separators and the digits that they need")
    func numbers() {
        #expect(ChartNumber.text(1_234_567.4) == "1,234,567" && ChartNumber.text(-0.5) == "-0.5")
        #expect(ChartNumber.text(0.9712, .percent) == "97.12 %" && ChartNumber.text(61.504) == "61.5")
        #expect(ChartNumber.text(7.5, .duration) == "7:30" && ChartNumber.text(-1.5, .clock) == "22:30")
        #expect(ChartNumber.text(1e300) == "1e+300" && ChartNumber.text(.nan) == "nan")
        #expect(ChartNumber.text(0.001234) == "0.001234" && ChartNumber.text(0) == "0")
    }
}

@Suite("Drawings")
struct DrawingTests {
    private static let hostile = "</title><script>alert(1)</script>&\"'\u{1b}[31m\u{202e}"

    private static func chart(_ count: Int, _ kind: ChartEntry.Kind, isStacked: Bool = false) -> Chart {
        let points = (0..<count).map { number -> ChartPoint in
            let start = Double(1_700_000_000 + number * 86400)
            let value = Double((number * 37) % 101) - 20
            return kind == .range
                ? ChartPoint(start, start + 86400, low: value, high: value + 9)
                : ChartPoint(start, start + 86400, value)
        }
        return Chart(
            title: hostile, caption: hostile,
            axis: .time(1_700_000_000..<(1_700_000_000 + max(1, count) * 86400), .utc),
            panels: [
                ChartPanel(
                    unit: hostile,
                    entries: [ChartEntry(hostile, kind, points), ChartEntry("b", kind, points)],
                    isStacked: isStacked)
            ])
    }

    @Test("no name can become markup", arguments: ChartEntry.Kind.allCases)
    func escaping(kind: ChartEntry.Kind) {
        let drawing = SVGDrawing(Self.chart(9, kind)).document
        #expect(drawing.hasPrefix(SVGDrawing.documentStart))
        #expect(!drawing.contains("<script") && drawing.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(!drawing.unicodeScalars.contains { ["\u{1b}", "\u{202e}"].contains($0) })
        #expect(
            !drawing.contains("http") || drawing.components(separatedBy: "http").count == 2,
            "only the namespace")
    }

    @Test("a chart without values says so", arguments: [0, 1])
    func empty(entries: Int) {
        var chart = Self.chart(0, .line)
        chart.panels[0].entries.removeLast(2 - entries)
        #expect(chart.isEmpty && SVGDrawing(chart).document.contains("No data"))
        let style = TextStyle(isUnicode: true, hasColours: false, columns: 80)
        #expect(TextDrawing(chart, style: style).lines.joined().contains { $0.text == "No data" })
    }

    @Test(
        "text fits the terminal, and in ASCII is ASCII", arguments: ChartEntry.Kind.allCases, [1, 2, 40, 500])
    func widths(kind: ChartEntry.Kind, count: Int) {
        for columns in [40, 41, 57, 80, 133] {
            for isUnicode in [true, false] {
                let style = TextStyle(isUnicode: isUnicode, hasColours: false, columns: columns)
                var chart = Self.chart(count, kind, isStacked: kind == .bar && count == 2)
                (chart.title, chart.caption) = ("Title", "caption " + String(repeating: "long ", count: 30))
                chart.panels[0].unit = "unit"
                chart.panels[0].entries[0].title = "a"
                let lines = TextDrawing(chart, style: style).lines.map { $0.map(\.text).joined() }
                #expect(
                    lines.allSatisfy { $0.count <= columns }, "\(lines.map(\.count).max() ?? 0) of \(columns)"
                )
                #expect(isUnicode || lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
                // A braille pattern without dots would be escaped as invisible.
                #expect(!lines.joined().contains("\u{2800}"))
            }
        }
    }

    @Test("bars in a line grow with their values")
    func sparklines() {
        let lengths = stride(from: 0.0, through: 1, by: 0.01).map {
            Sparkline.bar($0, width: 20, isUnicode: true)
        }
        #expect(lengths.first == "" && lengths.last == String(repeating: "█", count: 20))
        for (shorter, longer) in zip(lengths, lengths.dropFirst()) { #expect(shorter.count <= longer.count) }
        #expect(Sparkline.curve([1, nil, 8, 4], isUnicode: true) == "▁ █▄")
        #expect(Sparkline.strip(5...10, in: 1...10, width: 10, isUnicode: false) == "....======")
    }
}

extension String {
    fileprivate func components(separatedBy text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
