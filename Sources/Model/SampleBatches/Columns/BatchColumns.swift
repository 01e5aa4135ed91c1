import ByteSpans
public import CivilTime

/// The columns of a batch while rows are appended.
///
/// A row is written into the text of its columns at once, and its identity is computed on the way.
public struct BatchColumns: ~Copyable, Sendable {
    private let element: String
    private var values = ByteColumns()
    private var contexts: [BatchContext] = []
    private var contents: [ColumnBatch.Content] = []
    /// The numbers of the contents, if there are more than a few.
    private var contentNumbers: [HashedBytes: Int] = [:]
    private static let fewContents = 8
    private var layout = ColumnLayout()

    /// Number of rows.
    public private(set) var count = 0
    private var firstPosition = 0
    /// The position of the last row in the source.
    public private(set) var lastPosition = 0
    private var first: Timestamp?
    private var last: Timestamp?
    private var identity = IdentitySum()
    /// The first instant of the last row that had any.
    private var anchor = 0
    /// Context and content of the last row, and the start of its identity.
    private var prefix = (context: -1, content: -1, hash: SipHash128())

    /// Creates columns without rows, for elements of this name.
    public init(element: String) { self.element = element }

    /// Adds a context without checking for duplicates, and returns its number.
    public mutating func add(_ context: BatchContext) -> Int {
        contexts.append(context)
        layout.add(context, inElement: element)
        values.extend(to: ColumnBatch.firstColumn + layout.names.count)
        return contexts.count - 1
    }

    /// Returns the number, from 1, of a content, a JSON object; nil if no row has it.
    public func knownNumber(ofContent json: HashedBytes) -> Int? {
        if contents.count > Self.fewContents { return contentNumbers[json] }
        return contents.firstIndex { $0.key == json }.map { $0 + 1 }
    }

    /// Returns the number, from 1, of a content, a JSON object, adding it if it is new.
    public mutating func number(ofContent json: HashedBytes) -> Int {
        if let number = knownNumber(ofContent: json) { return number }
        let number = add(content: json)
        if number > Self.fewContents {
            for place in contentNumbers.count..<number { contentNumbers[contents[place].key] = place + 1 }
        }
        return number
    }

    /// Adds a content without checking for duplicates, and returns its number.
    mutating func add(content json: HashedBytes) -> Int {
        contents.append(ColumnBatch.Content(json))
        return contents.count
    }

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - head: Its context, content and position.
    ///   - start: When it starts.
    ///   - cells: Its values, as in a ``SampleBatch``; those between shared texts may lack their quotes.
    ///   - text: The bytes with its tokens.
    public mutating func append(
        _ head: RowHead, start: Timestamp?, cells: Span<Int>, text: Span<UInt8>
    ) {
        precondition(count == 0 || head.position > lastPosition, "positions ascend")
        if count == 0 { firstPosition = head.position }
        values.append(repetitive: head.position - lastPosition, to: ColumnBatch.positionColumn)
        values.append(repetitive: head.context, to: ColumnBatch.contextColumn)
        values.append(repetitive: head.content, to: ColumnBatch.contentColumn)
        lastPosition = head.position
        count += 1
        first.lower(to: start)
        last.raise(to: start)
        if head.content > 0 { contents[head.content - 1].add(start) }
        if prefix.context != head.context || prefix.content != head.content {
            prefix = (head.context, head.content, layout.hashes[head.context])
            prefix.hash.update(head.content == 0 ? 0 : contents[head.content - 1].identity)
        }
        identity.add(
            layout.append(
                cells, text, context: head.context, prefix.hash, anchor: &anchor, to: &values))
    }

    /// Returns the batch, and starts over without rows and contexts.
    public mutating func removeAll(key: SampleBatch.Key, isGone: Bool = false) -> ColumnBatch {
        values.extend(to: ColumnBatch.firstColumn)
        let batch = ColumnBatch(
            key: key, isGone: isGone, contexts: contexts, contents: contents, count: count,
            firstPosition: firstPosition, lastPosition: lastPosition, first: first, last: last,
            identity: identity, names: layout.names, columns: values.removeAll())
        self = BatchColumns(element: element)
        return batch
    }
}
