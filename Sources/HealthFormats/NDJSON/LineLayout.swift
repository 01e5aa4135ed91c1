import JSONText
import SampleBatches

/// The text of the lines of a batch around their values.
struct LineLayout: Sendable {
    /// All pieces of text, one behind the other.
    private(set) var text: [UInt8] = []
    /// What comes before the position in each line.
    let opening: Range<Int>
    /// For each column what comes before its value, the columns of all contexts one behind the other.
    private(set) var columns: [Column] = []
    /// For each context what comes behind the last value.
    private(set) var closings: [Range<Int>] = []
    /// No line has more bytes around its values, its times included.
    private(set) var longest = 0
    /// For each context whether a row of it may be one that the flat form cannot hold.
    let mayBeOdd: [Bool]

    struct Column: Sendable {
        let before: Range<Int>
        /// Where the value is an instant.
        let offsetMinutes: Int
        /// The value goes without its quotes.
        let isEnclosed: Bool

        /// What of a token is written.
        @inline(__always)
        func inside(_ token: Range<Int>) -> Range<Int> {
            isEnclosed ? (token.lowerBound + 1)..<(token.upperBound - 1) : token
        }
    }

    init(_ contexts: [BatchContext], element: String) {
        mayBeOdd = contexts.map { Self.mayBeOdd($0, element) }
        text += Array("{\"element\":".utf8)
        JSONEscaping.append(element, to: &text)
        text += Array(",\"position\":".utf8)
        opening = 0..<text.count
        for context in contexts { add(context) }
    }

    private static func mayBeOdd(_ context: BatchContext, _ element: String) -> Bool {
        context.isOdd
            || context.slots.contains { slot in
                if case .text(let name) = slot {
                    AttributeKind(of: name, in: element) == .time
                } else {
                    false
                }
            }
    }

    private mutating func add(_ context: BatchContext) {
        let first = text.count
        var start = first
        var times = 0
        for slot in context.slots {
            text.append(UInt8(ascii: ","))
            JSONEscaping.append(slot.name, to: &text)
            text.append(UInt8(ascii: ":"))
            var (after, offset, isEnclosed): ([UInt8], Int, Bool) = ([], 0, false)
            switch slot {
            case .constant(_, let value):
                text += value
                continue
            case .text: break
            case .enclosed(_, let before, let behind):
                text += [UInt8(ascii: "\"")] + before
                after = behind + [UInt8(ascii: "\"")]
                isEnclosed = true
            case .time(_, let offsetMinutes):
                text.append(UInt8(ascii: "\""))
                after = [UInt8(ascii: "\"")]
                offset = offsetMinutes
                times += 1
            }
            columns.append(
                Column(before: start..<text.count, offsetMinutes: offset, isEnclosed: isEnclosed))
            start = text.count
            text += after
        }
        closings.append(start..<text.count)
        longest = max(longest, opening.count + text.count - first + times * Timestamp.length)
    }
}
