import Glibc

/// The texts of the columns of a table, in which values that repeat are only counted.
///
/// They lie where they were written; whoever appends them to something else copies them, and nobody before.
public final class ColumnTexts: Sendable {
    private let columns: ByteColumns

    init(_ columns: consuming ByteColumns) { self.columns = columns }

    /// A byte that no JSON text contains, followed by the length of the value before it and the number of repetitions.
    static let mark: UInt8 = 1
    static let markLength = 1 + 2 * MemoryLayout<UInt64>.size

    /// Number of columns.
    public var count: Int { columns.count }
    /// The number of bytes that the texts take, with those that repeat only counted.
    public var size: Int { (0..<count).reduce(0) { $0 + columns.length(of: $1).memory } }
    /// The total length of all texts, in bytes.
    public var length: Int { (0..<count).reduce(0) { $0 + columns.length(of: $1).text } }

    /// Appends the text of a column: its values, separated by commas.
    public func append(_ number: Int, to text: inout [UInt8]) {
        let length = columns.length(of: number).text
        guard length > 0 else { return }
        text.append(addingCapacity: length) { (output: inout OutputSpan<UInt8>) in
            columns.forEachPiece(of: number) { bytes, hasMarks in
                if hasMarks {
                    Self.expand(bytes, to: &output)
                } else {
                    output.append(copying: bytes)
                }
            }
            // The comma after the last value.
            _ = output.removeLast()
        }
    }

    private static func expand(_ source: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var place = 0
        while place < source.count {
            let end = source.firstIndex(of: mark, from: place)
            output.append(copying: source.extracting(place..<end))
            guard end < source.count else { break }
            let length = Int(truncatingIfNeeded: source.word(at: end + 1))
            output.append(
                repeatingLast: length, times: Int(truncatingIfNeeded: source.word(at: end + 9)))
            place = end + markLength
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the last `count` bytes so many times more; there must be room for them.
    mutating func append(repeatingLast count: Int, times: Int) {
        precondition(count > 0 && count <= self.count && times >= 0, "bytes that were appended")
        precondition(times <= freeCapacity / count, "there is room")
        unsafe withUnsafeMutableBufferPointer { buffer, total in
            guard let base = buffer.baseAddress else { return }
            let first = unsafe base + (total - count)
            let whole = count * times
            // What was copied is copied with the rest the next time.
            var done = 0
            while done < whole {
                let part = min(count + done, whole - done)
                unsafe memcpy(first + (count + done), first, part)
                done += part
            }
            total += whole
        }
    }
}
