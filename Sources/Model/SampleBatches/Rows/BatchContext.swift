public import ByteText
import Synchronization

/// The properties shared by many rows of a batch: the order of their attributes, constant texts, and how other values
/// are stored.
public final class BatchContext: Sendable {
    /// One attribute.
    public enum Slot: Sendable, Equatable {
        /// The text, as a JSON string, is the same in all rows.
        case constant(name: String, text: [UInt8])
        /// Each row has its own text: a JSON string, or a JSON number spelled as written.
        case text(name: String)
        /// Each row has its own text between two shared ones, which are JSON strings without their quotes.
        case enclosed(name: String, before: [UInt8], after: [UInt8])
        /// Each row has its own instant, written with this offset.
        case time(name: String, offsetMinutes: Int)

        /// The attribute's name.
        public var name: String {
            switch self {
            case .constant(let name, _), .text(let name), .enclosed(let name, _, _), .time(let name, _):
                name
            }
        }

        /// Number of bytes of the texts that all rows share.
        fileprivate var sharedLength: Int {
            switch self {
            case .constant(_, let text): text.count
            case .enclosed(_, let before, let after): before.count + after.count
            case .text, .time: 0
            }
        }
    }

    /// A slot whose values are in the rows.
    public struct Column: Sendable, Equatable {
        /// The slot's number.
        public let slot: Int
        /// Whether it contains instants rather than texts.
        public let isTime: Bool
    }

    /// The maximum number of slots in a context and attributes of an element: each may be a column with its own memory.
    public static let mostSlots = 1 << 12
    /// The number of bytes of an instant and its punctuation in a line.
    static let longestTime = Timestamp.length + 8

    /// The attributes in the order in which they were written.
    public let slots: [Slot]
    /// The names of the attributes with times, in order.
    package var timeNames: [String] { form.timeNames }
    /// The slots that are not constant.
    public var columns: [Column] { form.columns }
    /// The context as JSON, as stored in a batch.
    public let json: [UInt8]
    /// The number of the slot whose instant determines the span of a row; nil if there is none.
    public var startSlot: Int? { form.startSlot }
    /// For elements without such an instant, the number of the slot whose text says when they start: a day
    /// (`yyyy-MM-dd`), or a start in the form of iOS 8.
    public var startTextSlot: Int? { form.startTextSlot }
    /// Whether the text in ``startTextSlot`` is a day.
    public var startsOnDay: Bool { form.startsOnDay }
    /// Whether an attribute occurs twice or has a reserved name, so that the flat form of a row cannot represent
    /// it.
    public var isOdd: Bool { form.isOdd }
    /// Whether a row's texts may appear twice in a line, because the flat form cannot represent the row.
    public var mayBeOdd: Bool { form.mayBeOdd }

    /// An upper bound on the bytes of a row's line, without its texts and its element's name.
    public let lineSize: Int
    private let form: ContextForm

    /// The hash of what all rows have in common, once requested.
    private let knownHash = Mutex<(element: String, hash: UInt128)?>(nil)
    /// The locations of values, once requested.
    private let knownFields = Mutex<ContextFields?>(nil)

    /// Creates a context.
    ///
    /// - Parameter other: Another context, which mostly has slots with the same names, stored in the same way.
    public convenience init(slots: [Slot], like other: BatchContext? = nil) {
        self.init(slots: slots, json: Self.json(of: slots), like: other)
    }

    /// Creates a context of which the JSON text is known.
    init(slots: [Slot], json: [UInt8], like other: BatchContext?) {
        self.slots = slots
        self.json = json
        if let other, slots.count == other.slots.count, zip(slots, other.slots).allSatisfy({ $0.isLike($1) })
        {
            form = other.form
        } else {
            form = ContextForm(slots)
        }
        // Names and shared texts as in the context, the longest instants, punctuation, and what every line has.
        lineSize = (json.count + slots.count * Self.longestTime) * (form.mayBeOdd ? 2 : 1) + 64
    }

    /// Whether it is so short that keeping one of its kind for later takes hardly any memory.
    package var isShort: Bool { json.count <= 1 << 12 }

    /// Whether it is known to differ from another context in texts and offsets alone.
    package func hasForm(of other: BatchContext) -> Bool { form === other.form }

    /// Reads the start of a row from the token in ``startTextSlot``; a day starts at its midnight in UTC.
    public func start(ofToken token: Span<UInt8>) -> Timestamp? {
        startsOnDay ? CivilDate(token: token)?.start : Timestamp(compactToken: token)
    }

    /// The locations of the values in its rows, looked up once.
    package var fields: ContextFields {
        knownFields.withLock { known in
            if let known { return known }
            let fields = ContextFields(self)
            known = fields
            return fields
        }
    }

    /// Returns a hash of what the rows of an element have in common, computed once: many batches share a context.
    func hash(inElement element: String, _ make: () -> UInt128) -> UInt128 {
        knownHash.withLock { known in
            if let known, known.element.utf8.elementsEqual(element.utf8) { return known.hash }
            let hash = make()
            known = (element, hash)
            return hash
        }
    }

    /// About the bytes that it takes in memory.
    package var memorySize: Int { 4 * json.count + 512 }

    /// Returns the constant text of an attribute, as a JSON string.
    public func constant(_ name: String) -> [UInt8]? {
        for case .constant(name, let text) in slots { return text }
        return nil
    }

    /// Returns an upper bound on the bytes of a row's line, without its element's name.
    ///
    /// - Parameters:
    ///   - texts: Bytes of the row's own texts.
    ///   - content: Bytes of its content.
    public func lineSize(texts: Int, content: Int) -> Int {
        lineSize + (mayBeOdd ? 2 : 1) * texts + content
    }

    /// Returns the number of bytes that an element's name takes in each line.
    public static func lineSize(ofElement name: String) -> Int {
        var json: [UInt8] = []
        JSONEscaping.append(name, to: &json)
        return json.count
    }
}

extension BatchContext {
    /// Returns the slots as they are stored in a batch.
    ///
    /// `[["type","..."],["device","before","after"],["startDate",120],["value"]]`
    static func json(of slots: [Slot]) -> [UInt8] {
        var writer = JSONWriter(capacity: slots.total { $0.name.utf8.count + $0.sharedLength + 10 })
        writer.array { writer in
            for slot in slots {
                writer.array { writer in
                    writer.string(slot.name)
                    switch slot {
                    case .constant(_, let text): writer.raw(text.span)
                    case .text: break
                    case .enclosed(_, let before, let after):
                        for part in [before, after] {
                            writer.raw(([UInt8(ascii: "\"")] + part + [UInt8(ascii: "\"")]).span)
                        }
                    case .time(_, let offsetMinutes): writer.integer(offsetMinutes)
                    }
                }
            }
        }
        return writer.bytes
    }
}
