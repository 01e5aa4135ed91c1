public import ByteText

/// Successive rows of a source that have the same context, with their values column by column.
///
/// The values of a column are processed in less time when they follow each other.
public struct RowBlock: Sendable {
    /// The number of rows for which there is room.
    public let capacity: Int
    /// Number of rows.
    public var count = 0
    /// The start of each row, in seconds since 1970; `capacity` cells further the size of its values, see ``RowValues``;
    /// again so many further the place of its content in a list, from 1, or 0 for none; then `capacity` cells for each column
    /// with values as in a ``SampleBatch``.
    public var cells: [Int]
    /// The offset of all starts; nil if rows have none.
    public var startOffset: Int?

    /// The most rows that are gathered.
    public static let most = 64
    /// The number of columns before those with values.
    public static let headColumns = 3

    /// Creates a block without rows, with room for so many values of each.
    public init(capacity: Int = most, columns: Int) {
        self.capacity = capacity
        cells = [Int](repeating: 0, count: capacity * (Self.headColumns + columns))
    }

    /// Returns the cells with the values of some rows in a column.
    func column(_ number: Int, _ rows: Range<Int>) -> Range<Int> {
        let start = (Self.headColumns + number) * capacity
        return (start + rows.lowerBound)..<(start + rows.upperBound)
    }

    /// Returns the earliest and the latest start of some rows; nil if they have none.
    func startRange(_ rows: Range<Int>) -> (first: Timestamp, last: Timestamp)? {
        guard let startOffset, !rows.isEmpty else { return nil }
        let starts = cells.span.extracting(rows)
        var (first, last) = (starts[0], starts[0])
        for row in starts.indices {
            first = min(first, starts[row])
            last = max(last, starts[row])
        }
        return (
            Timestamp(seconds: first, offsetMinutes: startOffset),
            Timestamp(seconds: last, offsetMinutes: startOffset)
        )
    }

    /// Returns the rows from one on that start within a range of instants, up to `most`, with the total size of their values.
    ///
    /// - Parameter useContent: Is called with the place of the content of each row that has one, in order.
    @inlinable
    @inline(__always)
    public func rows(
        from first: Int, most: Int, startingIn instants: Range<Int>,
        useContent: (_ place: Int) -> Void
    ) -> (rows: Range<Int>, size: Int) {
        guard startOffset != nil else { return (first..<first, 0) }
        let last = min(count, first + most)
        let cells = cells.span
        let (starts, sizes) = (cells.extracting(0..<last), cells.extracting(capacity..<(capacity + last)))
        let places = cells.extracting((2 * capacity)..<(2 * capacity + last))
        var (end, size) = (first, 0)
        while end < last, instants.contains(starts[end]) {
            if places[end] > 0 { useContent(places[end]) }
            size += sizes[end]
            end += 1
        }
        return (first..<end, size)
    }

    /// Returns the cells with the places of the contents of some rows.
    func contents(_ rows: Range<Int>) -> Range<Int> {
        (2 * capacity + rows.lowerBound)..<(2 * capacity + rows.upperBound)
    }

    /// The start of a row.
    public func start(of row: Int) -> Timestamp? {
        startOffset.map { Timestamp(seconds: cells[row], offsetMinutes: $0) }
    }

    /// The size of the values of a row.
    public func size(of row: Int) -> Int { cells[capacity + row] }

    /// The place of the content of a row, from 1; 0 for none.
    public func content(of row: Int) -> Int { cells[2 * capacity + row] }

    /// Returns the rows from one on that have the same content as that.
    func rowsWithSameContent(as row: Int, before end: Int) -> Range<Int> {
        let places = cells.span.extracting(contents(0..<capacity))
        var next = row + 1
        while next < end, places[next] == places[row] { next += 1 }
        return row..<next
    }

    /// Returns the cell with the place of the content of a row, in a block with room for ``most`` rows.
    public static func contentCell(of row: Int) -> Int { 2 * most + row }

    /// Returns the values of a row with so many.
    public func values(of row: Int, columns: Int) -> [Int] {
        (0..<columns).map { cells[(Self.headColumns + $0) * capacity + row] }
    }

    /// Holds a single row, with values as in a ``SampleBatch``, and the place of its content.
    public mutating func set(_ values: Span<Int>, start: Timestamp?, size: Int, content: Int) {
        precondition(capacity == 1, "a block of one row")
        cells.removeAll(keepingCapacity: values.count <= Self.most)
        cells.append(start?.seconds ?? 0)
        cells.append(size)
        cells.append(content)
        for index in values.indices { cells.append(values[index]) }
        startOffset = start?.offsetMinutes
        count = 1
    }
}
