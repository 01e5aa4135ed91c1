import ByteText
import SampleBatches

/// The fixed text around the values in the start tags of a batch's rows.
struct XMLLayout: Sendable {
    /// All pieces of text, concatenated.
    private(set) var text: [UInt8] = []
    /// For each column of all contexts, the text before its value.
    private(set) var columns: [Column] = []
    /// For each context, the text after its last value.
    private(set) var closings: [Range<Int>] = []

    struct Column: Sendable {
        let before: Range<Int>
        /// The UTC offset that an instant is written with; 0 for other values.
        let offsetMinutes: Int
        /// What surrounds each value between its quotes.
        var enclosing: Enclosing?
    }

    /// The texts around an enclosed value.
    struct Enclosing: Sendable {
        /// As in JSON strings.
        let before: [UInt8]
        let after: [UInt8]
        /// As in XML; nil if they contain escapes, which may be halves of characters.
        var escaped: (before: Range<Int>, after: Range<Int>)?
    }

    init(_ contexts: [BatchContext], element: String) {
        for context in contexts {
            var start = text.count
            text += Array("<\(element)".utf8)
            for slot in context.slots {
                text += Array(" \(slot.name)=\"".utf8)
                switch slot {
                case .constant(_, let token):
                    let value = JSONEscaping.text(ofToken: token)
                    XMLEscaping.append(value: value.span, to: &text)
                    text.append(UInt8(ascii: "\""))
                    continue
                case .text: columns.append(Column(before: start..<text.count, offsetMinutes: 0))
                case .enclosed(_, let before, let after):
                    let end = text.count
                    columns.append(
                        Column(
                            before: start..<end, offsetMinutes: 0,
                            enclosing: enclosing(before, after)))
                case .time(_, let offset):
                    columns.append(Column(before: start..<text.count, offsetMinutes: offset))
                }
                start = text.count
                text.append(UInt8(ascii: "\""))
            }
            closings.append(start..<text.count)
        }
    }

    private mutating func enclosing(_ before: [UInt8], _ after: [UInt8]) -> Enclosing {
        var enclosing = Enclosing(before: before, after: after)
        guard !before.contains(UInt8(ascii: "\\")), !after.contains(UInt8(ascii: "\\")) else {
            return enclosing
        }
        let start = text.count
        XMLEscaping.append(value: before.span, to: &text)
        let middle = text.count
        XMLEscaping.append(value: after.span, to: &text)
        enclosing.escaped = (start..<middle, middle..<text.count)
        return enclosing
    }
}
