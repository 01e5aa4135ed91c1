import ByteSpans
public import CivilTime
import JSONText
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
    package let timeNames: [String]
    /// The slots that are not constant.
    public let columns: [Column]
    /// The context as JSON, as stored in a batch.
    public let json: [UInt8]
    /// The number of the slot whose instant determines the span of a row; nil if there is none.
    public let startSlot: Int?
    /// For elements without such an instant, the number of the slot whose text says when they start: a day
    /// (`yyyy-MM-dd`), or a start in the form of iOS 8.
    public let startTextSlot: Int?
    /// Whether the text in ``startTextSlot`` is a day.
    public let startsOnDay: Bool

    /// An upper bound on the bytes of a row's line, without its texts and its element's name.
    public let lineSize: Int
    /// Whether a row's texts may appear twice in a line, because the flat form cannot represent the row.
    public let mayBeOdd: Bool

    /// The hash of what all rows have in common, once requested.
    private let knownHash = Mutex<(element: String, hash: UInt128)?>(nil)
    /// The locations of values, once requested.
    private let knownFields = Mutex<ContextFields?>(nil)

    /// Creates a context.
    public convenience init(slots: [Slot]) { self.init(slots: slots, json: Self.json(of: slots)) }

    /// Creates a context of which the JSON text is known.
    init(slots: [Slot], json: [UInt8]) {
        self.slots = slots
        self.json = json
        columns = slots.indices.compactMap { number in
            switch slots[number] {
            case .constant: nil
            case .text, .enclosed: Column(slot: number, isTime: false)
            case .time: Column(slot: number, isTime: true)
            }
        }
        timeNames = slots.compactMap { slot in if case .time(let name, _) = slot { name } else { nil } }
        mayBeOdd = Self.mayBeOdd(slots)
        // Names and shared texts as in the context, the longest instants, punctuation, and what every line has.
        lineSize = (json.count + slots.count * Self.longestTime) * (mayBeOdd ? 2 : 1) + 64
        startSlot =
            AttributeKind.startNames.lazy.compactMap { wanted in
                slots.firstIndex { slot in
                    if case .time(let name, _) = slot { name == wanted } else { false }
                }
            }.first
        func textSlot(_ wanted: String) -> Int? {
            slots.firstIndex { slot in if case .text(let name) = slot { name == wanted } else { false } }
        }
        let daySlot = textSlot(AttributeKind.dayName)
        startsOnDay = startSlot == nil && daySlot != nil
        startTextSlot =
            startSlot == nil
            ? daySlot ?? AttributeKind.startNames.lazy.compactMap { textSlot($0) }.first : nil
    }

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

    /// Whether an attribute occurs twice or has a reserved name, so that the flat form of a row cannot represent
    /// it.
    public var isOdd: Bool { Self.isOdd(slots) }

    private static func isOdd(_ slots: [Slot]) -> Bool {
        let names = slots.map(\.name)
        return Set(names.map { ExactName($0) }).count != names.count
            || names.contains { ReservedName.isReserved(attribute: $0) }
    }

    /// Returns whether the names are odd, or a time attribute is stored as text, which may be odd.
    private static func mayBeOdd(_ slots: [Slot]) -> Bool {
        isOdd(slots)
            || slots.contains { slot in
                if case .text(let name) = slot { AttributeKind(of: name, in: "") == .time } else { false }
            }
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
