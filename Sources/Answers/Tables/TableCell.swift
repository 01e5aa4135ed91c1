package import ByteText
package import SystemIO

/// A value in a column of a table.
package protocol TableCell: Sendable {
    /// Whether values are numbers, which are aligned right.
    static var isNumber: Bool { get }
    /// The value in CSV.
    var cellText: String { get }
    /// The value for people.
    var shownText: TerminalText { get }
    /// Writes the value in JSON.
    func write(to writer: inout JSONWriter)
}

extension TableCell {
    package static var isNumber: Bool { false }
    package var shownText: TerminalText { "\(cellText)" }
    package func write(to writer: inout JSONWriter) { writer.string(cellText) }
}

extension String: TableCell {
    package var cellText: String { self }
}

extension CivilDate: TableCell {
    package var cellText: String { description }
}

/// An instant with the offset at which it is shown.
extension Timestamp: TableCell {
    package var cellText: String { iso }
}

extension Bool: TableCell {
    package var cellText: String { self ? "yes" : "no" }
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: TableCell {
    package static var isNumber: Bool { true }
    package var cellText: String { String(self) }
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: TableCell {
    package static var isNumber: Bool { true }
    package var cellText: String { NumberText.precise(self) }
    package var shownText: TerminalText { "\(NumberText.short(self))" }
    package func write(to writer: inout JSONWriter) { NumberText.write(self, to: &writer) }
}

extension Array: TableCell where Element: TableCell {
    package var cellText: String { map(\.cellText).joined(separator: "; ") }
    package var shownText: TerminalText { .list(map(\.cellText)) }
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in for cell in self { cell.write(to: &writer) } }
    }
}

/// A number with a fixed number of decimal places, for JSON alone.
package struct FixedNumber: TableCell {
    private let value: Double
    private let digits: Int

    package init(_ value: Double, digits: Int) { (self.value, self.digits) = (value, digits) }

    package var cellText: String { value.cellText }
    package func write(to writer: inout JSONWriter) { writer.decimal(value, digits: digits) }
}

/// A value as the source has it.
package struct JSONToken: TableCell {
    package let cellText: String
    private let json: [UInt8]?

    /// Creates a value of JSON.
    package init(_ json: [UInt8]) { (cellText, self.json) = (String(decoding: json, as: UTF8.self), json) }

    /// Creates a value of an attribute: a number that is written unchanged, or a text.
    package init(written text: String) {
        let bytes = Array(text.utf8)
        (cellText, json) = (text, JSONNumber.matches(bytes.span) ? bytes : nil)
    }

    package func write(to writer: inout JSONWriter) {
        if let json { writer.raw(json.span) } else { writer.string(cellText) }
    }
}

/// Several values with names, for JSON alone.
package struct TableObject: TableCell {
    /// A value with its name; nil is written as null.
    package typealias Member = (name: String, value: (any TableCell)?)

    /// The values in their order.
    package let members: [Member]

    package init(_ members: [Member]) { self.members = members }

    package var cellText: String { String(decoding: json, as: UTF8.self) }

    /// The object in JSON.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in members {
                writer.key(name)
                if let value { value.write(to: &writer) } else { writer.null() }
            }
        }
    }
}

extension TerminalText: TableCell {
    package var cellText: String { text }
    package var shownText: TerminalText { self }
}

/// A path, of which a byte need not be UTF-8.
extension BytePath: TableCell {
    package var cellText: String { description }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}
