import ByteText

/// The locations of the values in the rows of a context, looked up once for many rows.
public struct ContextFields: Sendable {
    /// The location of an attribute's values.
    public enum Field: Sendable, Equatable {
        /// The same token in all rows.
        case constant([UInt8])
        /// A token in this cell after the row's head.
        case text(cell: Int)
        /// A token in this cell after the row's head, between two shared texts without quotes.
        case enclosed(cell: Int, before: [UInt8], after: [UInt8])
        /// An instant: the sum of the row's first `count` cells with instants, written with this offset.
        case time(count: Int, offsetMinutes: Int)
    }

    /// The cells after a row's head that contain instants, in order.
    @usableFromInline let timeCells: [Int]
    private let fields: [(name: String, field: Field)]

    /// Looks up the fields of a context.
    public init(_ context: BatchContext) {
        var cell = 0
        var times: [Int] = []
        fields = context.slots.map { slot in
            defer { if !slot.isConstant { cell += 1 } }
            switch slot {
            case .constant(let name, let text): return (name, .constant(text))
            case .text(let name): return (name, .text(cell: cell))
            case .enclosed(let name, let before, let after):
                return (name, .enclosed(cell: cell, before: before, after: after))
            case .time(let name, let offsetMinutes):
                times.append(cell)
                return (name, .time(count: times.count, offsetMinutes: offsetMinutes))
            }
        }
        timeCells = times
    }

    /// Returns the location of the values of the first attribute with this name; nil if there is none.
    public subscript(_ name: String) -> Field? { fields.first { $0.name == name }?.field }

    /// The names of the attributes, in the order written.
    public var names: [String] { fields.map(\.name) }
}

extension BatchContext.Slot {
    /// Whether its values are between two shared texts.
    var isEnclosed: Bool { if case .enclosed = self { true } else { false } }

    fileprivate var isConstant: Bool {
        if case .constant = self { true } else { false }
    }
}

/// The range of a token in the text of a batch, packed into one number so that it takes no more space than an instant.
public struct TokenPlace: Sendable {
    /// The start in the low half, the length in the high one.
    public let code: Int

    @usableFromInline static let half = Int.bitWidth / 2

    /// The exclusive upper bound of a text's length in bytes.
    public static let limit = 1 << 31

    /// Creates a place from its code.
    @inlinable
    @inline(__always)
    public init(code: Int) { self.code = code }

    /// Creates a place from a range below ``limit``.
    @inlinable
    @inline(__always)
    public init(_ range: Range<Int>) { code = range.lowerBound | range.count << Self.half }

    /// The range in the text.
    @inlinable
    @inline(__always)
    public var range: Range<Int> {
        let start = code & (1 << Self.half - 1)
        return start..<(start + code >> Self.half)
    }
}
