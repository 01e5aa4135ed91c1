import ByteText

/// Timings as a table, or as JSON.
enum StageReport: Sendable {
    static func text(_ timings: [Timing], _ material: Material) -> String {
        let documentSize = material.document.count
        var lines = [
            "\(material.rowCount) rows, \(material.batches.count) batches, "
                + "\(documentSize / 1_000_000) MB of XML; milliseconds for each gigabyte, median (least);"
                + " million rows a second; allocations for each row", "",
        ]
        let width = timings.map(\.stage.name.count).max() ?? 0
        for timing in timings {
            let name = timing.stage.name + String(repeating: " ", count: width - timing.stage.name.count)
            let median = scaled(timing.median, documentSize)
            let least = "(\(scaled(timing.seconds[0], documentSize)))"
            let rate = fixed(Double(material.rowCount) / max(timing.median, 1e-9) / 1e6)
            let allocations = fixed(Double(timing.allocations) / Double(max(material.rowCount, 1)))
            lines.append(
                name + right(String(median), 7) + right(least, 8) + right(rate, 9) + right(allocations, 8)
                    + "  "
                    + timing.stage.summary)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ timings: [Timing], _ material: Material) -> String {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            writer.member("documentBytes", material.document.count)
            writer.member("rows", material.rowCount)
            writer.member("batches", material.batches.count)
            writer.key("stages")
            writer.array { writer in
                for timing in timings {
                    writer.object { writer in
                        writer.member("stage", timing.stage.name)
                        writer.member("madeBytes", timing.size)
                        writer.member("medianMicroseconds", microseconds(timing.median))
                        writer.member("leastMicroseconds", microseconds(timing.seconds[0]))
                        writer.member("allocations", timing.allocations)
                        writer.member("rounds", timing.seconds.count)
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func microseconds(_ seconds: Double) -> Int { Int((seconds * 1e6).rounded()) }

    /// Returns the milliseconds per gigabyte of XML.
    private static func scaled(_ seconds: Double, _ documentSize: Int) -> Int {
        Int((seconds * 1e12 / Double(max(documentSize, 1))).rounded())
    }

    /// Returns a number with two digits after the point.
    private static func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = String(hundredths % 100)
        return "\(hundredths / 100).\(rest.utf8.count == 1 ? "0" : "")\(rest)"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
