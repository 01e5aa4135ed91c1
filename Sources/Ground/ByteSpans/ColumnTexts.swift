import Glibc

/// The texts of the columns of a table, in which values that repeat are only counted.
public struct ColumnTexts: Sendable {
    /// Texts with marks: after a value, the mark says how often it follows once more.
    let bytes: [UInt8]
    let columns: [Column]

    struct Column: Sendable {
        /// The bytes of the column.
        let range: Range<Int>
        /// The length of its text.
        let length: Int
        /// Whether there are marks among the bytes.
        let isRepetitive: Bool
    }

    /// A byte that no JSON text contains, followed by the length of the value and the number of repetitions.
    static let mark: UInt8 = 1
    static let markLength = 1 + 2 * MemoryLayout<UInt64>.size

    /// Number of columns.
    public var count: Int { columns.count }
    /// The number of bytes in memory.
    public var size: Int { bytes.count }
    /// The total length of all texts, in bytes.
    public var length: Int { columns.reduce(0) { $0 + $1.length } }

    /// Appends the text of a column: its values, separated by commas.
    public func append(_ number: Int, to text: inout [UInt8]) {
        let column = columns[number]
        guard column.length > 0 else { return }
        let source = bytes.span.extracting(column.range)
        text.append(addingCapacity: column.length) { (output: inout OutputSpan<UInt8>) in
            if column.isRepetitive {
                Self.expand(source, to: &output)
            } else {
                output.append(copying: source)
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
