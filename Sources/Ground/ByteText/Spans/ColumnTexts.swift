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
        var (length, last) = (0, 0)
        forEachPart(of: number) { value, repeats in
            if !value.isEmpty { last = value.count }
            length += value.count + last * repeats
        }
        guard length > 0 else { return }
        text.append(addingCapacity: length) { (output: inout OutputSpan<UInt8>) in
            forEachPart(of: number) { value, repeats in
                if !value.isEmpty { last = value.count }
                output.append(copying: value)
                output.append(last: last, times: repeats)
            }
            // The comma after the last value.
            _ = output.removeLast()
        }
    }

    /// Calls `body` with the parts of a column of numbers: either a value with its comma, or how often the last one is repeated.
    private func forEachPart(of number: Int, _ body: (_ value: Span<UInt8>, _ repeats: Int) -> Void) {
        columns.forEachPiece(of: number) { bytes in
            var place = 0
            while place < bytes.count {
                let end = bytes.firstIndex(of: UInt8(ascii: ","), from: place) + 1
                if bytes[place] == UInt8(ascii: "[") {
                    var repeats = 0
                    for digit in (place + 1)..<(end - 2) { repeats = 10 * repeats + Int(bytes[digit] & 0xf) }
                    body(bytes.extracting(place..<place), repeats)
                } else {
                    body(bytes.extracting(place..<end), 0)
                }
                place = end
            }
        }
    }
}
