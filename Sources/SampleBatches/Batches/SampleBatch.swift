/// The elements of one name and one sample type whose start lies in one calendar span, or a part of them.
///
/// Inside there is no object per row: rows are numbers one behind the other, each the number of its context, the number
/// of its content (0 for none), the distance to the position of the row before it, and then its values in the order of
/// the context's slots. Texts stay where they were read, as JSON tokens, so that formats copy them.
public struct SampleBatch: Sendable {
    /// What a batch is about.
    public struct Key: Sendable, Hashable, Comparable {
        /// The name of the XML element: `Record`, `Workout`, ...
        public var element: String
        /// The sample type, as Apple spells it; empty for elements that have none.
        public var type: String
        /// The name of the calendar span.
        public var span: String
        /// 1 for the first part, and so on.
        public var part: Int

        /// Compares names as bytes: two spellings that Unicode takes for the same text are different names.
        public static func == (left: Key, right: Key) -> Bool {
            left.part == right.part && left.span == right.span
                && left.element.utf8.elementsEqual(right.element.utf8)
                && left.type.utf8.elementsEqual(right.type.utf8)
        }

        /// By element, type, span and part, names in the order of their bytes.
        public static func < (left: Key, right: Key) -> Bool {
            (ExactName(left.element), ExactName(left.type), ExactName(left.span), left.part)
                < (ExactName(right.element), ExactName(right.type), ExactName(right.span), right.part)
        }

        /// Makes a key.
        public init(element: String, type: String, span: String, part: Int) {
            self.element = element
            self.type = type
            self.span = span
            self.part = part
        }
    }

    /// Positions are below this number.
    public static let positionLimit = 1 << 48

    /// What the batch is about.
    public var key: Key
    /// Its samples were in an earlier export, and are not in the newest any more.
    public var isGone = false
    /// The contexts in the order of their first use; one that was read may be there twice.
    public internal(set) var contexts: [BatchContext] = []
    /// The contents of elements, JSON objects, in the order of their first use; one that was read may be there twice.
    public internal(set) var contents: [[UInt8]] = []
    /// What is known of the rows together.
    var tally = RowTally()

    /// Number of rows.
    public var count: Int { tally.count }
    /// The place in the source of the first row; the children of `HealthData` are counted from 1.
    public var firstPosition: Int { tally.firstPosition }
    /// The place in the source of the last row.
    public var lastPosition: Int { tally.lastPosition }
    /// The earliest start.
    public var first: Timestamp? { tally.first }
    /// The latest start.
    public var last: Timestamp? { tally.last }

    /// The rows one behind the other.
    ///
    /// The value of a text is its ``TokenPlace``, that of an instant the distance to the one before it in the row; the
    /// first one stands as it is.
    @usableFromInline package var cells: [Int] = []
    /// Where the tokens stand, no two of them in the same place; what else stands there means nothing.
    @usableFromInline package var text: [UInt8] = []

    /// An empty batch.
    public init(key: Key) { self.key = key }

    /// At most so many bytes have all values, and all contents as often as rows have them.
    public var textSize: Int {
        zip(contents, tally.contentUses).reduce(text.count) { $0 + $1.0.count * $1.1 }
    }
}
