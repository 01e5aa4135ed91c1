public import ByteText

/// The part that every row of a batch has, whatever its values are.
public struct RowHead: Sendable {
    /// The number of its context in its batch.
    public let context: Int
    /// The number of its content in its batch, 0 for none.
    public let content: Int
    /// Its position in the source; positions ascend.
    public let position: Int

    /// Number of cells that a head takes in a batch.
    public static let cells = 3

    /// Creates a head.
    @inlinable
    @inline(__always)
    public init(context: Int, content: Int, position: Int) {
        self.context = context
        self.content = content
        self.position = position
    }
}

/// Totals over the rows of a batch, updated as they are added.
public struct RowTally: Sendable {
    @usableFromInline var count = 0
    @usableFromInline var firstPosition = 0
    @usableFromInline var lastPosition = 0
    /// The number of rows that have each content.
    @usableFromInline var contentUses: [Int] = []
    /// The earliest start.
    @usableFromInline var first: Timestamp?
    /// The latest start.
    @usableFromInline var last: Timestamp?

    /// Returns whether a row at this position can be added: positions must ascend.
    @inlinable
    @inline(__always)
    func takes(position: Int) -> Bool { count == 0 || position > lastPosition }

    /// Writes the head of the next row.
    @inlinable
    @inline(__always)
    public mutating func append(_ head: RowHead, to output: inout OutputSpan<Int>) {
        precondition(takes(position: head.position), "positions ascend")
        output.append(head.context)
        output.append(head.content)
        output.append(head.position - lastPosition)
        if head.content > 0 { contentUses[head.content - 1] += 1 }
        if count == 0 { firstPosition = head.position }
        lastPosition = head.position
        count += 1
    }

    /// Extends the range of starts to include that of a row.
    @inlinable
    @inline(__always)
    public mutating func extendRange(to start: Timestamp?) {
        first.lower(to: start)
        last.raise(to: start)
    }
}
