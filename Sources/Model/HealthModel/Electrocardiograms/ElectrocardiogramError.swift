/// An error thrown when a file is not an electrocardiogram of the Health app.
///
/// It contains the line number, but no text from the file, which is health data.
public struct ElectrocardiogramError: Error, Sendable, Equatable, CustomStringConvertible {
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
    }

    /// The kind of failure.
    public let code: Code
    /// The line number, from 1; for a missing unit, the last line of the header.
    public let line: Int

    init(_ code: Code, line: Int) {
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
        }
    }
}
