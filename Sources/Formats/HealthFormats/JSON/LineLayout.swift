import ByteText
import SampleBatches

/// A style of writing rows as flat JSON objects.
struct FlatRowStyle: Sendable {
    /// Whether a row contains its position in the source.
    let hasPosition: Bool
    /// The bytes at the end of each row.
    let ending: [UInt8]
    /// Whether to add the fixed unit of measurements that Apple writes without one.
    let addsUnits: Bool

    /// Each row is a line of a file.
    static let line = FlatRowStyle(hasPosition: true, ending: Array("}\n".utf8), addsUnits: false)
    /// Each row is an element of an array, followed by a comma and a newline.
    static let member = FlatRowStyle(hasPosition: false, ending: Array("},\n".utf8), addsUnits: true)

    /// The units of measurements in activity summaries that have no unit attribute.
    private static let units = [
        ("appleMoveTime", "min"), ("appleExerciseTime", "min"), ("appleStandHours", "hr"),
    ]

    /// Returns the members to add to the rows of a context, each preceded by a comma.
    func addition(to context: BatchContext, of element: String) -> [UInt8] {
        guard addsUnits, element == "ActivitySummary" else { return [] }
        let names = context.slots.map(\.name)
        var text: [UInt8] = []
        for (name, unit) in Self.units where names.contains(name) && !names.contains(name + "Unit") {
            text += Array(",\"\(name)Unit\":\"\(unit)\"".utf8)
        }
        return text
    }
}

/// The fixed text around the values in the lines of a batch.
struct LineLayout: Sendable {
    /// All pieces of text, concatenated.
    private(set) var text: [UInt8] = []
    /// The text before the position in each line.
    let opening: Range<Int>
    /// For each column, the text before its value; the columns of all contexts are concatenated.
    private(set) var columns: [Column] = []
    /// For each context, the members added after its values; they are part of its closing.
    private(set) var additions: [Range<Int>] = []
    /// For each context, the text after its last value.
    private(set) var closings: [Range<Int>] = []
    /// An upper bound for the fixed text and the times of a line, in bytes.
    private(set) var longest = 0
    /// For each context, whether the flat form may be unable to represent one of its rows.
    let mayBeOdd: [Bool]

    struct Column: Sendable {
        let before: Range<Int>
        /// The UTC offset that an instant is written with; 0 for other values.
        let offsetMinutes: Int
        /// Whether the value is written without its quotes.
        let isEnclosed: Bool

        /// Returns the part of a token that is written.
        @inline(__always)
        func inside(_ token: Range<Int>) -> Range<Int> {
            isEnclosed ? (token.lowerBound + 1)..<(token.upperBound - 1) : token
        }
    }

    init(_ contexts: [BatchContext], element: String, style: FlatRowStyle) {
        mayBeOdd = contexts.map { Self.mayBeOdd($0, element) }
        text += Array("{\"element\":".utf8)
        JSONEscaping.append(element, to: &text)
        if style.hasPosition { text += Array(",\"position\":".utf8) }
        opening = 0..<text.count
        for context in contexts { add(context, style.addition(to: context, of: element)) }
    }

    private static func mayBeOdd(_ context: BatchContext, _ element: String) -> Bool {
        context.isOdd
            || context.slots.contains { slot in
                if case .time = slot {
                    false
                } else {
                    AttributeKind(of: slot.name, in: element) == .time
                }
            }
    }

    /// - Parameter addition: The members that follow the values, each preceded by a comma.
    private mutating func add(_ context: BatchContext, _ addition: [UInt8]) {
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
        additions.append(text.count..<(text.count + addition.count))
        text += addition
        closings.append(start..<text.count)
        longest = max(longest, opening.count + text.count - first + times * Timestamp.length)
    }
}
