public import ByteText

/// A batch as the texts of its columns, ready to be written.
public struct ColumnBatch: Sendable {
    /// What the batch contains.
    public let key: SampleBatch.Key
    /// Whether its samples were in an earlier export but are not in the newest.
    public let isGone: Bool
    /// The contexts in the order of their first use.
    public let contexts: [BatchContext]
    /// The contents of elements in the order of their first use.
    public let contents: [Content]
    /// Number of rows.
    public let count: Int
    /// The position of the first row in the source.
    public let firstPosition: Int
    /// The position of the last row in the source.
    public let lastPosition: Int
    /// The earliest start.
    public let first: Timestamp?
    /// The latest start.
    public let last: Timestamp?
    /// The count and the sum of the identities of the rows.
    public let identity: IdentitySum
    /// The names of the attributes that have a column.
    public let names: [ExactName]
    /// The columns: first those of positions, contexts and contents, then one for each name.
    package let columns: ColumnTexts

    /// The number of the column with the distance of each position from the one before it.
    public static let positionColumn = 0
    /// The number of the column with the context of each row.
    public static let contextColumn = 1
    /// The number of the column with the content of each row.
    public static let contentColumn = 2
    /// The number of the column of the first name.
    public static let firstColumn = 3

    /// The content of an element.
    public struct Content: Sendable {
        let key: HashedBytes
        let identity: UInt128
        /// The number of rows that have it.
        private(set) var uses = 0
        /// Whether it may name a time zone.
        let mayNameZone: Bool
        /// The latest start of such a row, in seconds, if it may name a time zone.
        private(set) var latest: Int?

        init(_ key: HashedBytes) {
            self.key = key
            identity = ContentIdentity.hash(of: key.bytes)
            mayNameZone = RecordedZones.mayBe(in: key.bytes.span)
        }

        /// The content, a JSON object.
        public var json: [UInt8] { key.bytes }

        /// Counts rows that have it.
        ///
        /// - Parameter start: Returns the latest of their starts, in seconds; nil if they have none.
        mutating func add(_ rows: Int, latest start: () -> Int?) {
            uses += rows
            if mayNameZone, let start = start() { latest = max(latest ?? .min, start) }
        }
    }

    init(
        key: SampleBatch.Key, isGone: Bool, contexts: [BatchContext], contents: [Content], count: Int,
        firstPosition: Int, lastPosition: Int, first: Timestamp?, last: Timestamp?, identity: IdentitySum,
        names: [ExactName], columns: ColumnTexts
    ) {
        self.key = key
        self.isGone = isGone
        self.contexts = contexts
        self.contents = contents
        self.count = count
        self.firstPosition = firstPosition
        self.lastPosition = lastPosition
        self.first = first
        self.last = last
        self.identity = identity
        self.names = names
        self.columns = columns
    }

    /// Writes the rows of a batch into columns.
    public init(_ batch: SampleBatch) {
        var columns = BatchColumns(element: batch.key.element)
        for context in batch.contexts { _ = columns.add(context) }
        for content in batch.contents { columns.append(content: HashedBytes(content)) }
        let (cells, text) = (batch.cells, batch.text)
        var messages = IdentityMessages()
        var rows = RowBlock(capacity: 1, columns: 0)
        batch.forEachBatchRow { row in
            rows.set(cells.span.extracting(row.cells), start: row.start, size: 0, content: 1)
            columns.append(
                0..<1, of: rows, context: row.head.context, contents: [0, row.head.content],
                position: row.head.position, text.span, &messages)
        }
        self = columns.removeAll(key: batch.key, isGone: batch.isGone)
    }
}

extension ColumnBatch {
    /// Returns how often each element occurs in the batch, by its path below the root element.
    package func census() throws -> [ExactName: Int] {
        try SampleBatch.census(of: key.element, count: count, contents.map { ($0.json, $0.uses) })
    }

    /// Returns the time zones that its rows name, each with the latest start of such a row.
    public func recordedZones() -> RecordedZones {
        var recorded = RecordedZones()
        for content in contents {
            if let latest = content.latest { recorded.add(content: content.json, start: latest) }
        }
        return recorded
    }
}
