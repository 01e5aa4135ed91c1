/// The texts of the columns of a table.
///
/// They lie where they were written; whoever appends them to something else copies them, and nobody before.
public final class ColumnTexts: Sendable {
    private let columns: ByteColumns

    init(_ columns: consuming ByteColumns) { self.columns = columns }

    /// Number of columns.
    public var count: Int { columns.count }
    /// The total length of all texts, in bytes.
    public var length: Int { (0..<count).reduce(0) { $0 + columns.length(of: $1) } }

    /// Appends the text of a column: its values, and how often some are repeated, separated by commas.
    public func append(_ number: Int, to text: inout [UInt8]) {
        let length = columns.length(of: number)
        guard length > 0 else { return }
        text.append(addingCapacity: length) { (output: inout OutputSpan<UInt8>) in
            columns.forEachPiece(of: number) { output.append(copying: $0) }
            // The comma after the last value.
            _ = output.removeLast()
        }
    }
}
