import ByteText

extension XMLRowWriter {
    /// Elements in the order they were written, each with its position in the source.
    package struct Lines: Sendable {
        /// The text of all elements.
        package var text: [UInt8] = []
        /// The position of each element, and its start offset in the text.
        package var starts: [(position: Int, start: Int)] = []

        package init() {}

        /// Returns the text of all elements, sorted by position.
        ///
        /// - Parameter times: The times of the elements, to sort by before their positions; empty for none.
        package func sorted(by times: [Int] = []) -> [UInt8] {
            var output: [UInt8] = []
            output.reserveCapacity(text.count)
            for index in order(by: times) { output.append(copying: text.span.extracting(range(of: index))) }
            return output
        }

        /// The elements in the order of their positions.
        private func order(by times: [Int] = []) -> [Int] {
            starts.indices.sorted { left, right in
                (times.isEmpty ? 0 : times[left], starts[left].position)
                    < (times.isEmpty ? 0 : times[right], starts[right].position)
            }
        }

        private func range(of index: Int) -> Range<Int> {
            starts[index].start..<(index + 1 < starts.count ? starts[index + 1].start : text.count)
        }

        /// Removes all elements, and keeps the memory.
        package mutating func removeAll() {
            text.removeAll(keepingCapacity: true)
            starts.removeAll(keepingCapacity: true)
        }

        /// Adds the elements of others.
        package mutating func append(_ other: Lines) {
            let offset = text.count
            starts += other.starts.lazy.map { ($0.position, $0.start + offset) }
            text.append(copying: other.text)
        }
    }
}

// Parts of elements as bytes: the number of elements, the position and the length of each, and their text.
extension XMLRowWriter.Lines {
    /// Sorts the elements by position and passes on those of each part.
    ///
    /// - Parameters:
    ///   - part: The part that a position belongs to; it grows with the position.
    ///   - use: Receives each part that has elements, as bytes.
    package func forEachPart(
        _ part: (_ position: Int) -> Int, _ use: (_ part: Int, _ bytes: [UInt8]) throws -> Void
    ) rethrows {
        let order = order()
        var first = 0
        while first < order.count {
            let number = part(starts[order[first]].position)
            var end = first + 1
            while end < order.count, part(starts[order[end]].position) == number { end += 1 }
            try use(number, bytes(of: order[first..<end]))
            first = end
        }
    }

    private func bytes(of indices: ArraySlice<Int>) -> [UInt8] {
        let length = indices.reduce(0) { $0 + range(of: $1).count }
        return [UInt8](capacity: 8 + indices.count * 16 + length) { (output: inout OutputSpan<UInt8>) in
            output.append(word: UInt64(indices.count))
            for index in indices {
                output.append(word: UInt64(starts[index].position))
                output.append(word: UInt64(range(of: index).count))
            }
            for index in indices { output.append(copying: text.span.extracting(range(of: index))) }
        }
    }

    /// Returns the text of all elements of parts that ``forEachPart(_:_:)`` has made, sorted by position, and their number.
    ///
    /// Elements at the same position, which only wrong positions lead to, are sorted by their bytes.
    package static func sorted(_ parts: [[UInt8]]) -> (text: [UInt8], count: Int) {
        var elements: [(position: UInt64, part: Int, range: Range<Int>)] = []
        for (number, part) in parts.enumerated() {
            let count = Int(part.span.word(at: 0))
            var start = 8 + count * 16
            for index in 0..<count {
                let end = start + Int(part.span.word(at: 16 + index * 16))
                elements.append((part.span.word(at: 8 + index * 16), number, start..<end))
                start = end
            }
        }
        elements.sort { left, right in
            left.position == right.position
                ? parts[left.part][left.range].lexicographicallyPrecedes(parts[right.part][right.range])
                : left.position < right.position
        }
        var text: [UInt8] = []
        text.reserveCapacity(elements.reduce(0) { $0 + $1.range.count })
        for (_, number, range) in elements {
            let part = parts[number]
            text.append(copying: part.span.extracting(range))
        }
        return (text, elements.count)
    }
}
