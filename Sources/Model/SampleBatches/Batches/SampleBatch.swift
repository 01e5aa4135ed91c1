public import ByteText

/// The elements with one name and one sample type that start in one calendar span, or a part of them.
///
/// There is no object per row: rows are consecutive numbers. Each row consists of the number of its context, the number
/// of its content (0 for none), the distance from the previous row's position, and its values in the order of the
/// context's slots. Texts stay as JSON tokens where they were read, so that formats can copy them.
public struct SampleBatch: Sendable {
    /// What a batch contains.
    public struct Key: Sendable, Hashable, Comparable {
        /// The name of the XML element: `Record`, `Workout`, ...
        public var element: String
        /// The sample type, as Apple spells it; empty for elements that have none.
        public var type: String
        /// The name of the calendar span.
        public var span: String
        /// 1 for the first part, and so on.
        public var part: Int

        /// Compares names as bytes: two spellings that Unicode considers equivalent are different names.
        public static func == (left: Key, right: Key) -> Bool {
            left.part == right.part && left.span == right.span
                && left.element.utf8.elementsEqual(right.element.utf8)
                && left.type.utf8.elementsEqual(right.type.utf8)
        }

        /// Orders keys by element, type, span and part, names by their bytes.
        public static func < (left: Key, right: Key) -> Bool {
            (ExactName(left.element), ExactName(left.type), ExactName(left.span), left.part)
                < (ExactName(right.element), ExactName(right.type), ExactName(right.span), right.part)
        }

        /// Creates a key.
        public init(element: String, type: String, span: String, part: Int) {
            self.element = element
            self.type = type
            self.span = span
            self.part = part
        }

        /// The key of the whole span, with part 0.
        package var ofSpan: Key { Key(element: element, type: type, span: span, part: 0) }
    }

    /// The exclusive upper bound of positions.
    public static let positionLimit = 1 << 48

    /// What the batch contains.
    public var key: Key
    /// Whether its samples were in an earlier export but are not in the newest.
    public var isGone = false
    /// The contexts in the order of their first use; a batch that was read may have duplicates.
    public internal(set) var contexts: [BatchContext] = []
    /// The contents of elements, JSON objects, in the order of their first use; a batch that was read may have
    /// duplicates.
    public internal(set) var contents: [[UInt8]] = []
    /// Totals over the rows.
    var tally = RowTally()

    /// Number of rows.
    public var count: Int { tally.count }
    /// The position of the first row in the source; the children of `HealthData` are counted from 1.
    public var firstPosition: Int { tally.firstPosition }
    /// The position of the last row in the source.
    public var lastPosition: Int { tally.lastPosition }
    /// The earliest start.
    public var first: Timestamp? { tally.first }
    /// The latest start.
    public var last: Timestamp? { tally.last }

    /// The rows, one after the other.
    ///
    /// A text is stored as its ``TokenPlace``, an instant as the distance from the previous one in the row; the first
    /// one is stored unchanged.
    @usableFromInline package var cells: [Int] = []
    /// The bytes that contain the tokens, where values that repeat one share its place; all other bytes are meaningless.
    @usableFromInline package var text: [UInt8] = []
    /// The bytes of the values that share the place of another one.
    var repeatedBytes = 0

    /// Creates an empty batch.
    public init(key: Key) { self.key = key }

    /// The bytes that it takes in memory once its rows were copied, each with its texts; contents and contexts that several rows
    /// have are there once.
    package var memorySize: Int {
        tokenSize + cells.count * MemoryLayout<Int>.size + contents.reduce(0) { $0 + $1.count }
            + contexts.reduce(0) { $0 + $1.memorySize }
    }

    /// An upper bound on the bytes of all tokens, counting each as often as it occurs.
    package var tokenSize: Int { text.count + repeatedBytes }

    /// An upper bound on the bytes of all values and contents, counting each as often as it occurs.
    public var textSize: Int {
        zip(contents, tally.contentUses).reduce(tokenSize + RowValues.sizeOfTime * cells.count) {
            $0 + $1.0.count * $1.1
        }
    }
}

extension BatchOptions {
    /// A calendar unit for the spans of batches.
    public enum CalendarComponent: Sendable {
        case year
        case month
        /// Weeks start on Monday, regardless of the locale.
        case week
        case day
        case hour
    }

    /// A month for the six busiest types, half a year for all others.
    public static let automatic = BatchOptions()
    /// A year for all types.
    public static let byYear = calendarComponent(.year)
    /// A month for all types.
    public static let byMonth = calendarComponent(.month)

    /// Returns options for spans of `multiplier` units of the calendar (UTC) for all types.
    ///
    /// Spans are counted from fixed points, not from the start of a session, so batches cover the same spans in every
    /// session.
    public static func calendarComponent(_ component: CalendarComponent, multiplier: Int = 1) -> BatchOptions
    {
        // The initialiser limits the span; this keeps years from overflowing when converted to months.
        let count = min(max(1, multiplier), 1_000_000)
        let rule: SpanRule =
            switch component {
            case .year: .months(12 * count)
            case .month: .months(count)
            case .week: .weeks(count)
            case .day: .days(count)
            case .hour: .hours(count)
            }
        return BatchOptions(span: .every(rule))
    }

    /// Returns options with the same spans, split into parts of at most this many samples.
    public func limited(toRows rows: Int) -> BatchOptions {
        BatchOptions(span: span, rowLimit: rows, byteLimit: byteLimit)
    }
}

extension SampleBatch {
    /// Returns how often each element occurs in the batch, by its path below the root element.
    package func census() throws(JSONError) -> [ExactName: Int] {
        try Self.census(of: key.element, count: count, Array(zip(contents, tally.contentUses)))
    }

    /// Counts elements of one name, and those in their contents, each with the number of its occurrences.
    static func census(
        of element: String, count: Int, _ contents: [(json: [UInt8], uses: Int)]
    ) throws(JSONError) -> [ExactName: Int] {
        var counts = [ExactName(element): count]
        var tally = ContentTally(element: element)
        for (content, times) in contents where !tally.count(content, times: times) {
            try ContentCensus.add(content, in: element, times: times, to: &counts)
        }
        for (path, times) in tally.counts { counts[path, default: 0] += times }
        return counts
    }
}

extension SampleBatch {
    /// Moves the positions of all rows, so that they differ from those in an earlier export.
    ///
    /// - Parameter distance: The number to add to each position.
    public mutating func movePositions(by distance: Int) {
        guard count > 0 else { return }
        // The first row stores its position, the others the distance from the previous row.
        cells[2] += distance
        tally.firstPosition += distance
        tally.lastPosition += distance
    }
}
