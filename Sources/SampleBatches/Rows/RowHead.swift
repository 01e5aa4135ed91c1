/// What is known of every row of a batch, whatever its values are.
public struct RowHead: Sendable {
    /// The number of its context in its batch.
    public let context: Int
    /// The number of its content in its batch, 0 for none.
    public let content: Int
    /// Its place in the source; positions ascend.
    public let position: Int

    /// So many cells of a batch hold it.
    public static let cells = 3

    /// Makes a head.
    @inlinable
    @inline(__always)
    public init(context: Int, content: Int, position: Int) {
        self.context = context
        self.content = content
        self.position = position
    }
}
