import ByteText
import Glibc
import HealthModel
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

    @Test(
        "an axis without bars has little more than the values, and begins at 0 if that is near",
        arguments: 0..<200)
    func fitted(seed: Int) {
        var dice = Dice(UInt64(seed))
        let size = [1e-6, 1, 40, 3e5][seed % 4]
        let low = size * Double.random(in: -2...6, using: &dice)
        let high = low + size * Double.random(in: 0.01...3, using: &dice)
        let points = [ChartPoint(0, 1, low), ChartPoint(1, 2, high)]
        let scale = ChartPanel(entries: [ChartEntry("a", .line, points)]).scale(most: 3 + seed % 4)
        let domain = scale.domain
        #expect(domain.contains(low) && domain.contains(high))
        #expect(domain.upperBound - high <= (high - low) * 0.07)
        #expect(low - domain.lowerBound <= (high - low) * 0.07 || domain.lowerBound == 0)
        #expect(domain.lowerBound != 0 || low <= (high - low) * 0.3)
        #expect((2...8).contains(scale.ticks.count) && scale.ticks.allSatisfy(domain.contains))
        let bars = ChartPanel(entries: [ChartEntry("a", .bar, points)]).scale(most: 5)
        #expect(bars.domain.contains(0) && bars.domain.contains(high))
    }

    @Test("labels are as far apart as each other, and do not touch", arguments: 0..<200)
    func labels(seed: Int) {
        var dice = Dice(UInt64(seed))
        let count = Int.random(in: 1...40, using: &dice)
        let ticks = (0..<count).map {
            ChartAxis.Tick(position: Double($0), label: $0 == seed % 50 ? "1 Jan" : "x")
        }
        let room = Double.random(in: 4...60, using: &dice)
        let places = ticks.indices.map { index in
            let half = Double.random(in: 3...25, using: &dice)
            return (Double(index) * room - half)...(Double(index) * room + half)
        }
        let shown = ChartAxis.labelled(ticks, at: places, gap: 4)
        #expect(!shown.isEmpty)
        #expect(Set(zip(shown, shown.dropFirst()).map { $1 - $0 }).count <= 1)
        for (first, second) in zip(shown, shown.dropFirst()) {
            #expect(places[first].upperBound + 4 <= places[second].lowerBound)
        }
        // The label that is more than a time stays.
        if seed % 50 <= shown[shown.count - 1] { #expect(shown.contains(seed % 50)) }
    }

    @Test("the first day of an axis has its year, and the first of another year")
    func years() {
        // 2024-12-29 at midnight.
        let start = 1_735_430_400
        let ticks = ChartAxis.time(start..<(start + 5 * 86400), .utc).ticks(most: 9)
        #expect(
            ticks.map(\.label) == ["29 Dec 2024", "30 Dec", "31 Dec", "1 Jan 2025", "2 Jan", "3 Jan"])
    }

    @Test("units are in the words that people use")
    func units() throws {
        func text(_ unit: String, _ type: AnySampleType) throws -> String {
            UnitText.text(try HealthUnit(unit), of: type)
        }
        #expect(try text("count/min", .heartRate) == "bpm" && text("count/min", .restingHeartRate) == "bpm")
        #expect(try text("count/min", .respiratoryRate) == "breaths a minute")
        #expect(try text("count/min", .cyclingCadence) == "rpm" && text("km/hr", .walkingSpeed) == "km/h")
        #expect(
            try text("mmol<180.15588>/L", .bloodGlucose) == "mmol/L" && text("mcg", .dietaryVitaminA) == "µg")
        #expect(try text("%", .bloodOxygen).isEmpty && text("ms", .heartRateVariabilitySDNN) == "ms")
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

    @Test("the legend shows each entry as it is drawn")
    func legend() {
        func points(_ value: Double) -> [ChartPoint] { [ChartPoint(0, 1, value), ChartPoint(1, 2, value)] }
        let panel = ChartPanel(entries: [
            ChartEntry("range", .range, [ChartPoint(0, 1, low: 1, high: 2)]),
            ChartEntry("one", .line, points(1)), ChartEntry("absent", .line, []),
            ChartEntry("two", .line, points(2)), ChartEntry("dot", .point, points(3)),
            ChartEntry("hard", .bar, points(1), shade: .effort(5)),
        ])
        let chart = Chart(title: "", axis: .categories(["a", "b"]), panels: [panel])
        #expect(chart.legend.map(\.entry.title) == ["range", "one", "two", "dot", "hard"])
        let drawing = SVGDrawing(chart).document
        // Once in the plot, and once in the legend.
        for mark in ["class=\"f0 r\"", "class=\"l s1\"", "stroke-dasharray=\"5 3\"", "class=\"z5\""] {
            #expect(drawing.ranges(of: mark).count == 2, "\(mark)")
        }
        #expect(drawing.ranges(of: "class=\"l s3\" style=\"stroke-width:5\"").count == 2)
        #expect(!drawing.contains("absent"))
    }

    @Test(
        "colours stand out from the background, and the shades of effort and sleep are in the order of their lightness"
    )
    func colours() throws {
        for (style, paper, isDark) in [(SVGStyle.light, 1.0, false), (SVGStyle.dark, 0.0093, true)] {
            var colours: [Substring: Double] = [:]
            for rule in style.description.split(separator: ";") {
                let parts = rule.split(separator: ":")
                colours[parts[0].dropFirst(2)] = luminance(parts[1].dropFirst())
            }
            func contrast(_ name: String) throws -> Double {
                let value = try #require(colours[name[...]])
                return (max(value, paper) + 0.05) / (min(value, paper) + 0.05)
            }
            let names = (0...5).flatMap { ["c\($0)", "z\($0)"] } + (0...4).map { "n\($0)" }
            for name in names { #expect(try contrast(name) >= 3, "\(name)") }
            let effort = try (1...5).map { try contrast("z\($0)") }
            #expect(zip(effort, effort.dropFirst()).allSatisfy { $1 >= 1.25 * $0 })
            let sleep = try (0...2).map { try contrast("n\($0)") }
            let order = isDark ? sleep : sleep.reversed()
            #expect(zip(order, order.dropFirst()).allSatisfy { $1 >= 1.25 * $0 })
        }
    }

    /// The relative luminance of a colour as WCAG defines it.
    private func luminance(_ colour: Substring) -> Double {
        let number = Int(colour, radix: 16) ?? 0
        let parts = [16, 8, 0].map { shift -> Double in
            let part = Double(number >> shift & 255) / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
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
