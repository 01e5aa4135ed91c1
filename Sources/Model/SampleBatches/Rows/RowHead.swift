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
