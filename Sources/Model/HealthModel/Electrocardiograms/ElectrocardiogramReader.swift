public import ByteText

/// Reads the parts of a file: two blocks of labelled lines, then numbers to the end.
struct ElectrocardiogramReader {
    /// A header usually has ten lines.
    static let mostHeaderLines = 100
    /// Half a minute at 512 Hz has 15,360 values.
    static let mostValues = 1 << 20

    private var lines: ElectrocardiogramLines

    init(_ bytes: [UInt8]) { lines = ElectrocardiogramLines(bytes) }

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

/// An error thrown when a file is not an electrocardiogram of the Health app.
///
/// It contains the line number, but no text from the file, which is health data.
public struct ElectrocardiogramError: ClassifiedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// There are more lines before the voltages than the reader accepts.
        case headerTooLong
        /// There is no line with the unit of the voltages.
        case missingUnit
        /// The unit is not a known unit of voltage.
        case unknownUnit
        /// A line among the voltages is not a number, or is written differently from the others.
        case notANumber
        /// There are more voltages than the reader accepts.
        case tooManyValues
        /// The file is longer than ``StoreFile/largest``, and was not read.
        case largeFile
    }

    /// The kind of failure.
    public let code: Code
    /// The line number, from 1; for a missing unit, the last line of the header.
    public let line: Int

    /// Creates the error.
    public init(_ code: Code, line: Int) {
        self.code = code
        self.line = line
    }

    /// What is wrong, and in which line.
    public var description: String {
        switch code {
        case .headerTooLong:
            "line \(line): more than \(ElectrocardiogramReader.mostHeaderLines) lines without a voltage"
        case .missingUnit: "line \(line): the header ends without the unit of the voltages"
        case .unknownUnit: "line \(line): not a unit of voltages"
        case .notANumber: "line \(line): not a voltage"
        case .tooManyValues: "line \(line): more than \(ElectrocardiogramReader.mostValues) voltages"
        case .largeFile: "the file is too large"
        }
    }
}

extension ElectrocardiogramError {
    /// What it means.
    public var kind: ErrorKind { code == .largeFile ? .unsupported : .damaged }
}
