/// An error thrown when a file is not an electrocardiogram of the Health app.
///
/// It says where, but has no text of the file, which is about the person's health.
public struct ElectrocardiogramError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// More lines stand before the voltages than the reader accepts.
        case headerTooLong
        /// There is no line with the unit of the voltages.
        case missingUnit
        /// The unit is not one of those of voltages.
        case unknownUnit
        /// A line among the voltages is not a number, or not written like the other ones.
        case notANumber
        /// There are more voltages than the reader accepts.
        case tooManyValues
    }

    /// The kind of failure.
    public let code: Code
    /// The number of the line, from 1; for a missing unit, that of the last line of the header.
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
