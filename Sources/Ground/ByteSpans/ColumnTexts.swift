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

    /// Appends the text of a column of numbers with all that is repeated written out.
    public func append(writtenOut number: Int, to text: inout [UInt8]) {
        guard columns.length(of: number) > 0 else { return }
        // The last value, with its comma.
        var value: [UInt8] = []
        columns.forEachPiece(of: number) { bytes in
            var place = 0
            while place < bytes.count {
                let end = bytes.firstIndex(of: UInt8(ascii: ","), from: place) + 1
                if bytes[place] == UInt8(ascii: "[") {
                    let times = bytes.extracting((place + 1)..<(end - 2)).array
                    Self.append(value, times: times.reduce(0) { 10 * $0 + Int($1 & 0xf) }, to: &text)
                } else {
                    value = bytes.array(place..<end)
                    text += value
                }
                place = end
            }
        }
        // The comma after the last value.
        text.removeLast()
    }

    private static func append(_ value: [UInt8], times: Int, to text: inout [UInt8]) {
        var left = times * value.count
        var block = value
        while block.count < min(left, 1024) { block += block }
        while left > 0 {
            let part = min(left, block.count)
            text.append(copying: block.span.extracting(0..<part))
            left -= part
        }
    }
}
