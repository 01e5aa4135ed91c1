import HealthReport
package import SystemIO

/// Small bars at the ends of lines on a terminal.
package enum LineMarks {
    /// The width of a bar, and the least for which there must be room.
    private static let width = 24
    private static let least = 8

    /// Appends a bar for each value to a line, if standard output is a terminal and there is room.
    ///
    /// - Parameters:
    ///   - values: A value for each line; nil for none.
    ///   - lines: The lines, which have the same length.
    package static func append(_ values: [Double?], to lines: [TerminalText]) -> [TerminalText] {
        let greatest = values.compactMap(\.self).max() ?? 0
        let lowest = values.compactMap(\.self).min() ?? 0
        // Bars of negative values would have no common start.
        guard greatest > 0, lowest >= 0 else { return lines }
        return append(to: lines) { index, width, isUnicode in
            values[index].map { Sparkline.bar($0 / greatest, width: width, isUnicode: isUnicode) } ?? ""
        }
    }

    /// Appends a strip to each line, with a mark where its value is between the least and the greatest of all.
    package static func append(places values: [Double?], to lines: [TerminalText]) -> [TerminalText] {
        let found = values.compactMap(\.self).filter(\.isFinite)
        guard let least = found.min(), let greatest = found.max(), greatest > least else { return lines }
        return append(
            values.map { value -> ClosedRange<Int>? in
                guard let value, value.isFinite else { return nil }
                let place = Int((value / 2 - least / 2) / (greatest / 2 - least / 2) * 10_000)
                return place...place
            }, to: lines)
    }

    /// Appends a strip of the whole time to each line, with a mark where its part is.
    ///
    /// - Parameters:
    ///   - parts: The first and the last instant of each line, in any unit; nil for none.
    ///   - lines: The lines.
    package static func append(_ parts: [ClosedRange<Int>?], to lines: [TerminalText]) -> [TerminalText] {
        let found = parts.compactMap(\.self)
        guard let first = found.map(\.lowerBound).min(), let last = found.map(\.upperBound).max() else {
            return lines
        }
        return append(to: lines) { index, width, isUnicode in
            parts[index].map { Sparkline.strip($0, in: first...last, width: width, isUnicode: isUnicode) }
                ?? ""
        }
    }

    private static func append(
        to lines: [TerminalText], _ mark: (_ index: Int, _ width: Int, _ isUnicode: Bool) -> String
    ) -> [TerminalText] {
        guard Console.outputIsTerminal else { return lines }
        let style = Console.outputStyle
        let longest = lines.map(\.text.count).max() ?? 0
        let room = min(width, style.columns - longest - 2)
        guard room >= least else { return lines }
        return lines.enumerated().map { index, line in
            let mark = mark(index, room, style.isUnicode)
            let space: TerminalText = "\(String(repeating: " ", count: longest - line.text.count + 2))"
            return mark.isEmpty ? line : line + space + "\(mark)"
        }
    }
}
