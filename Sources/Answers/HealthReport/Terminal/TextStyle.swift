/// What a terminal can show.
public struct TextStyle: Sendable, Equatable {
    /// Whether it has block characters and braille, rather than ASCII only.
    public var isUnicode: Bool
    /// Whether it has colours.
    public var hasColours: Bool
    /// Number of columns, at least 40.
    public var columns: Int

    /// Creates a style.
    public init(isUnicode: Bool, hasColours: Bool, columns: Int) {
        self.isUnicode = isUnicode
        self.hasColours = hasColours
        self.columns = max(40, columns)
    }
}

/// A part of a line in one colour.
public struct TextRun: Sendable, Equatable {
    /// The text, which may contain names from a source: it must be escaped before it reaches a terminal.
    public var text: String
    /// The colour: the number of an entry, or nil for the terminal's own.
    public var colour: Int?

    init(_ text: String, colour: Int? = nil) {
        self.text = text
        self.colour = colour
    }
}

/// Small bars and curves that fit into a line of text.
public enum Sparkline: Sendable {
    private static let blocks = Array("▁▂▃▄▅▆▇█")
    private static let partialBlocks = Array("▏▎▍▌▋▊▉█")
    private static let marks = Array("_.-=+*#")

    /// Returns one character for each value, higher ones for greater values; a space where there is none.
    public static func curve(_ values: [Double?], isUnicode: Bool) -> String {
        let found = values.compactMap(\.self).filter(\.isFinite)
        guard let low = found.min(), let high = found.max() else { return "" }
        let levels = isUnicode ? blocks : marks
        return String(
            values.map { value -> Character in
                guard let value, value.isFinite else { return " " }
                // Equal values are drawn in the middle.
                guard high > low else { return levels[levels.count / 2] }
                let place = (value / 2 - low / 2) / (high / 2 - low / 2) * Double(levels.count)
                return levels[min(levels.count - 1, Int(place))]
            })
    }

    /// Returns a strip of a time, with a mark where a part of it is.
    ///
    /// - Parameters:
    ///   - part: The first and the last instant of the part.
    ///   - whole: The first and the last instant of the strip.
    ///   - width: The number of characters.
    ///   - isUnicode: Whether block characters may be used.
    public static func strip(
        _ part: ClosedRange<Int>, in whole: ClosedRange<Int>, width: Int, isUnicode: Bool
    ) -> String {
        guard width > 0 else { return "" }
        let length = Double(whole.upperBound) - Double(whole.lowerBound) + 1
        func place(_ instant: Int) -> Int {
            let fraction = (Double(instant) - Double(whole.lowerBound)) / length
            return min(width - 1, max(0, Int(fraction * Double(width))))
        }
        let marked = place(part.lowerBound)...max(place(part.lowerBound), place(part.upperBound))
        let (mark, other): (Character, Character) = isUnicode ? ("▄", "·") : ("=", ".")
        return String((0..<width).map { marked.contains($0) ? mark : other })
    }

    /// Returns a bar.
    ///
    /// - Parameters:
    ///   - fraction: The length as a fraction of the width, from 0 to 1.
    ///   - width: The maximum number of characters.
    ///   - isUnicode: Whether block characters may be used.
    public static func bar(_ fraction: Double, width: Int, isUnicode: Bool) -> String {
        guard fraction > 0, fraction.isFinite, width > 0 else { return "" }
        let full = min(1, fraction) * Double(width)
        guard isUnicode else { return String(repeating: "#", count: max(1, Int(full.rounded()))) }
        let eighths = max(1, Int((full * 8).rounded()))
        let rest = eighths % 8 == 0 ? "" : String(partialBlocks[eighths % 8 - 1])
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
