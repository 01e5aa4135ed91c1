import JSONText
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
        /// The texts around an enclosed value, escaped as in JSON strings.
        var enclosing: (before: [UInt8], after: [UInt8])?
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
                    columns.append(
                        Column(before: start..<text.count, offsetMinutes: 0, enclosing: (before, after)))
                case .time(_, let offset):
                    columns.append(Column(before: start..<text.count, offsetMinutes: offset))
                }
                start = text.count
                text.append(UInt8(ascii: "\""))
            }
            closings.append(start..<text.count)
        }
    }
}
