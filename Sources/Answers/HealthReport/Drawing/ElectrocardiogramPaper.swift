public import ByteText
public import HealthModel
import Tables

/// An electrocardiogram on the usual grid, as SVG: 25 mm for a second, 10 mm for a millivolt.
///
/// The drawing states its size in millimetres, so that it is true to scale when printed at 100 %.
public struct ElectrocardiogramPaper: Sendable {
    private let recording: Electrocardiogram
    private let time: String
    /// The seconds in a row.
    private let rowSeconds: Double
    private let isEmbedded: Bool
    /// The lowest and the highest voltage that is drawn, in millivolts.
    private let voltages: ClosedRange<Double>

    private static let speed = 25.0
    private static let gain = 10.0
    private static let left = 14.0
    private static let right = 6.0
    private static let head = 16.0

    /// Creates a drawing.
    ///
    /// - Parameters:
    ///   - recording: The electrocardiogram.
    ///   - days: The rule for days, which determines the time that is shown.
    public init(_ recording: Electrocardiogram, days: Days) {
        self.init(recording, days: days, rowSeconds: 10, isEmbedded: false)
    }

    init(_ recording: Electrocardiogram, days: Days, rowSeconds: Double, isEmbedded: Bool) {
        self.recording = recording
        self.rowSeconds = rowSeconds
        self.isEmbedded = isEmbedded
        let text = recording.recordedDate.map { days.timestamp($0.seconds).iso.prefix(19) } ?? ""
        time = text.split(separator: "T").joined(separator: " ")
        let found = recording.voltages.microvolts.filter(\.isFinite)
        // Whole big squares, and room for a usual recording; more than 5 mV is an artefact, and leaves the paper.
        let low = max(-5, min(-1, ((found.min() ?? 0) / 500).rounded(.down) / 2))
        let high = min(5, max(1.5, ((found.max() ?? 0) / 500).rounded(.up) / 2))
        voltages = low...high
    }

    /// The frequency in hertz, as far as anything can be drawn with it.
    private var frequency: Double { min(max(recording.samplingFrequency ?? 512, 1), 1_000_000) }
    private var rowHeight: Double { (voltages.upperBound - voltages.lowerBound) * Self.gain }
    private var rowCount: Int {
        let seconds = Double(recording.voltages.count) / frequency
        return min(60, max(1, Int((seconds / rowSeconds).rounded(.up))))
    }
    private var width: Double { Self.left + rowSeconds * Self.speed + Self.right }
    private var height: Double { Self.head + Double(rowCount) * (rowHeight + 5) + 4 }

    private var title: String {
        ["Electrocardiogram", time, recording.classificationTitle].filter { !$0.isEmpty }.joined(
            separator: ", ")
    }

    private var details: String {
        let parts = [
            "25 mm/s, 10 mm/mV", recording.lead ?? "", recording.device ?? "",
            recording.samplingFrequency.map { ChartNumber.text($0) + " Hz" } ?? "",
            recording.symptoms.joined(separator: ", "),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The drawing as a file of its own.
    public var document: String {
        var writer = MarkupWriter()
        write(to: &writer, identifier: "e")
        return writer.text + "\n"
    }

    /// Writes the drawing as an element.
    ///
    /// - Parameter identifier: The start of the identifiers in it, unique in the document.
    func write(to writer: inout MarkupWriter, identifier: String) {
        let names = "\(identifier)t \(identifier)d"
        let size = (SVGText.number(width), SVGText.number(height))
        func content(_ writer: inout MarkupWriter) {
            writer.element("title", ["id": "\(identifier)t"], text: title)
            writer.element("desc", ["id": "\(identifier)d"], text: details)
            if !isEmbedded {
                SVGStyle.write(to: &writer)
                writer.shape("rect", ["class": "p", "width": "100%", "height": "100%"])
            }
            writer.element(
                "text", ["class": "t", "x": "4", "y": "6.5", "style": "font-size:4.2px"], text: title)
            writer.element("text", ["class": "k", "x": "4", "y": "11.5"], text: details)
            for row in 0..<rowCount { write(row: row, to: &writer) }
        }
        if isEmbedded {
            writer.element(
                "svg",
                [
                    "class": "ecg", "width": size.0 + "mm", "height": size.1 + "mm",
                    "viewBox": "0 0 \(size.0) \(size.1)", "role": "img", "aria-labelledby": names,
                ], content)
        } else {
            writer.element(
                "svg",
                [
                    "xmlns": "http://www.w3.org/2000/svg", "data-by": "healthvault", "width": size.0 + "mm",
                    "height": size.1 + "mm", "viewBox": "0 0 \(size.0) \(size.1)", "role": "img",
                    "aria-labelledby": names,
                ], content)
        }
    }

    private func write(row: Int, to writer: inout MarkupWriter) {
        let top = Self.head + Double(row) * (rowHeight + 5)
        let end = Self.left + rowSeconds * Self.speed
        for (name, isMajor) in [("n", false), ("m", true)] {
            let step = isMajor ? 5 : 1
            var path = ""
            for x in stride(from: 0, through: Int(rowSeconds * Self.speed), by: step)
            where isMajor || x % 5 != 0 {
                path +=
                    "M\(SVGText.number(Self.left + Double(x))) \(SVGText.number(top))v\(SVGText.number(rowHeight))"
            }
            for y in stride(from: 0, through: Int(rowHeight), by: step) where isMajor || y % 5 != 0 {
                path +=
                    "M\(SVGText.number(Self.left)) \(SVGText.number(top + Double(y)))H\(SVGText.number(end))"
            }
            writer.shape(
                "path",
                ["class": name, "style": "stroke-width:\(isMajor ? ".2" : ".1")", "d": path])
        }
        func y(_ millivolts: Double) -> Double {
            top + (voltages.upperBound - min(max(millivolts, voltages.lowerBound), voltages.upperBound))
                * Self.gain
        }
        // The pulse beside each row is a millivolt high and a fifth of a second wide.
        let pulse = SVGText.path([
            (3, y(0)), (5, y(0)), (5, y(1)), (10, y(1)), (10, y(0)), (12, y(0)),
        ])
        writer.shape("path", ["class": "a", "style": "stroke-width:.3", "d": pulse])
        let (start, stop) = (Double(row) * rowSeconds, Double(row + 1) * rowSeconds)
        let values = recording.voltages.microvolts
        let range = (Int((start * frequency).rounded(.up))..<Int((stop * frequency).rounded(.up)))
            .clamped(to: 0..<values.count)
        let points = range.map { index in
            (x: Self.left + (Double(index) / frequency - start) * Self.speed, y: y(values[index] / 1000))
        }
        let shown = isEmbedded ? Self.thinned(points) : points
        writer.shape(
            "path", ["class": "e", "style": "stroke-width:.3", "d": SVGText.path(shown, parts: 100)])
        writer.element(
            "text",
            ["class": "k", "x": SVGText.number(Self.left), "y": SVGText.number(top + rowHeight + 3.6)],
            text: "\(ChartNumber.text(start)) s")
    }

    /// Returns the lowest and the highest point of each quarter of a millimetre, in the order of time.
    private static func thinned(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        var result: [(x: Double, y: Double)] = []
        var first = 0
        while first < points.count {
            let place = Int(points[first].x * 4)
            var end = first
            var (low, high) = (first, first)
            while end < points.count, Int(points[end].x * 4) == place {
                if points[end].y < points[low].y { low = end }
                if points[end].y > points[high].y { high = end }
                end += 1
            }
            for index in Set([low, high]).sorted() { result.append(points[index]) }
            first = end
        }
        return result
    }
}
