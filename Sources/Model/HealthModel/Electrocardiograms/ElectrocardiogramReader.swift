/// Reads the parts of a file: two blocks of labelled lines, then numbers to the end.
struct ElectrocardiogramReader {
    /// A header usually has ten lines.
    static let mostHeaderLines = 100
    /// Half a minute at 512 Hz has 15,360 values.
    static let mostValues = 10_000_000

    private var lines: TextLines

    init(_ bytes: [UInt8]) { lines = TextLines(bytes) }

    /// Reads up to the first line of numbers.
    mutating func header() throws(ElectrocardiogramError) -> ElectrocardiogramHeader {
        let recording = try block()
        let signal = try block()
        let last = signal.last ?? recording.last
        return ElectrocardiogramHeader(recording: recording, signal: signal, lastLine: last?.number ?? 1)
    }

    /// Skips blank lines, then reads lines up to the next blank line or number.
    private mutating func block() throws(ElectrocardiogramError) -> [LabelledLine] {
        var block: [LabelledLine] = []
        var rest = lines
        while let line = rest.next() {
            if line.trimmed.isEmpty {
                if !block.isEmpty { break }
            } else {
                guard DecimalStyle.number(line.unquoted) == nil else { break }
                guard block.count < Self.mostHeaderLines else {
                    throw ElectrocardiogramError(.headerTooLong, line: rest.number)
                }
                block.append(LabelledLine(line, number: rest.number))
            }
            lines = rest
        }
        return block
    }

    /// Reads the numbers, times a power of ten.
    mutating func numbers(scaledBy exponent: Int) throws(ElectrocardiogramError) -> [Double] {
        let style = self.style()
        var numbers: [Double] = []
        var blank: Int?
        while let line = lines.next() {
            let text = line.unquoted
            guard !text.isEmpty else {
                // A blank line between two numbers is a missing number.
                if blank == nil, !numbers.isEmpty { blank = lines.number }
                continue
            }
            if let blank { throw ElectrocardiogramError(.notANumber, line: blank) }
            guard numbers.count < Self.mostValues else {
                throw ElectrocardiogramError(.tooManyValues, line: lines.number)
            }
            guard let number = style.value(of: text, exponent: exponent) else {
                throw ElectrocardiogramError(.notANumber, line: lines.number)
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Returns the style of the remaining numbers.
    private func style() -> DecimalStyle {
        var style = DecimalStyle()
        var rest = lines
        while !style.isGrouped, let line = rest.next() { style.learn(from: line.unquoted) }
        return style
    }
}
