import ByteText
import SipHash

/// The columns of a batch while rows are appended.
///
/// Rows are written into the text of their columns at once, and their identities are computed on the way.
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

    /// Creates columns without rows, for elements of this name.
    public init(element: String) { self.element = element }

    /// Adds a context without checking for duplicates, and returns its number.
    public mutating func add(_ context: BatchContext) -> Int {
        layout.add(context, inElement: element, after: contexts.last)
        contexts.append(context)
        values.extend(to: ColumnBatch.firstColumn + layout.names.count)
        return contexts.count - 1
    }

    /// Number of columns for names of attributes.
    public var columnCount: Int { layout.names.count }

    /// Returns the number of columns if a context were added.
    public func columnCount(adding context: BatchContext) -> Int {
        if let last = contexts.last, context.hasForm(of: last) { return columnCount }
        return layout.nameCount(adding: context)
    }

    /// Returns the number, from 1, of a content, a JSON object; nil if no row has it.
    public func knownNumber(ofContent json: HashedBytes) -> Int? {
        if contents.count > Self.fewContents { return contentNumbers[json] }
        return contents.firstIndex { $0.key == json }.map { $0 + 1 }
    }

    /// Adds a content that no row has, a JSON object, and returns its number, from 1.
    public mutating func add(content json: HashedBytes) -> Int {
        append(content: json)
        if contents.count > Self.fewContents {
            for place in contentNumbers.count..<contents.count {
                contentNumbers[contents[place].key] = place + 1
            }
        }
        return contents.count
    }

    /// Appends a content, which may be there already, and whose number nobody is going to ask for.
    mutating func append(content json: HashedBytes) { contents.append(ColumnBatch.Content(json)) }

    /// Appends some rows of a block, in which a value between shared texts may lack its quotes.
    ///
    /// - Parameters:
    ///   - context: The number of their context.
    ///   - contents: The numbers of the contents in the block, preceded by 0 for no content.
    ///   - position: The position of the first.
    ///   - text: The bytes with their tokens.
    ///   - messages: What is used to compute their identities.
    public mutating func append(
        _ rows: Range<Int>, of block: RowBlock, context: Int, contents numbers: [Int], position: Int,
        _ text: Span<UInt8>, _ messages: inout IdentityMessages
    ) {
        guard !rows.isEmpty else { return }
        precondition(count == 0 || position > lastPosition, "positions ascend")
        if count == 0 { firstPosition = position }
        values.append(repetitive: position - lastPosition, to: ColumnBatch.positionColumn)
        values.append(repetitive: 1, times: rows.count - 1, to: ColumnBatch.positionColumn)
        values.append(repetitive: context, times: rows.count, to: ColumnBatch.contextColumn)
        lastPosition = position + rows.count - 1
        count += rows.count
        let starts = block.startRange(rows)
        first.lower(to: starts?.first)
        last.raise(to: starts?.last)
        var row = rows.lowerBound
        while row < rows.upperBound {
            let same = block.rowsWithSameContent(as: row, before: rows.upperBound)
            let number = numbers[block.content(of: row)]
            values.append(repetitive: number, times: same.count, to: ColumnBatch.contentColumn)
            if number > 0 {
                contents[number - 1].add(same.count) { block.startRange(same)?.last.seconds }
            }
            row = same.upperBound
        }
        messages.begin(rows.count)
        layout.append(rows, of: block, text, context: context, anchor: &anchor, &messages, to: &values)
        for number in numbers {
            var start = layout.hashes[context]
            start.update(number == 0 ? 0 : contents[number - 1].identity)
            messages.add(start: start)
        }
        identity.add(rows.count, sum: messages.sum(starts: block.cells.span.extracting(block.contents(rows))))
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
