import ByteText
import Testing

/// Bytes that look like nothing in particular, the same ones each time.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

@Suite("What spans do with many bytes at once is what they would do byte by byte")
struct SpanBytesTests {
    @Test("comparing, at every length and with every byte in turn another one", arguments: 0..<80)
    func matches(_ length: Int) {
        let text = noise(length + 9)
        let pattern = [7, 8, 9] + text[5..<(5 + length)]
        func matches(_ offset: Int, _ pattern: [UInt8]) -> Bool {
            let range = 3..<(3 + length)
            let found = text.span.matches(at: offset, pattern.span, range)
            #expect(text.span.matches(at: offset, pattern, range) == found)
            return found
        }
        #expect(matches(5, pattern))
        for place in 0..<length {
            var other = pattern
            other[3 + place] ^= 0x10
            #expect(!matches(5, other))
        }
        #expect(!matches(10, pattern) || length == 0)
        #expect(!matches(-1, pattern))
    }

    @Test("comparing under a mask, with every bit in turn another one", arguments: 0...5)
    func masks(_ words: Int) {
        let length = 8 * words
        let text = noise(length) + [1, 2, 3] + noise(length) + [4, 5]
        let mask = noise(length, seed: 7)
        let masks = stride(from: 0, to: length, by: 8).map { mask.span.word(at: $0) }
        func matches(_ text: [UInt8]) -> Bool {
            let found = text.span.matches(at: 0, asAt: length + 3, in: masks.span)
            let other = text.span.matches(at: length + 3, asAt: 0, in: masks.span)
            #expect(other == found)
            return found
        }
        #expect(matches(text))
        for bit in 0..<(8 * length) {
            var other = text
            other[length + 3 + bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(matches(other) == (mask[bit / 8] >> UInt8(bit % 8) & 1 == 0))
        }
        for (offset, other) in [(0, length + 6), (length + 6, 0), (-1, 0), (0, -1)] {
            let found = text.span.matches(at: offset, asAt: other, in: masks.span)
            #expect(!found)
        }
    }

    @Test("looking for control characters", arguments: 0..<30)
    func controls(_ length: Int) {
        let text = noise(length).map { $0 | 0x20 }
        var found = text.span.hasControls
        #expect(!found)
        for place in 0..<length {
            for byte: UInt8 in [0, 0x1f, 0x20, 0x7f, 0x80, 0x9f, 0xff] {
                var other = text
                other[place] = byte
                found = other.span.hasControls
                #expect(found == (byte < 0x20))
            }
        }
    }

    @Test("writing numbers in decimal")
    func decimals() {
        var numbers = Array(0...110_000 as ClosedRange<UInt>)
        for power in 0..<20 {
            let least = (0..<power).reduce(UInt(1)) { value, _ in value * 10 }
            for factor in 1...9 {
                let (number, overflow) = least.multipliedReportingOverflow(by: UInt(factor))
                if !overflow { numbers += [number - 1, number, number + 1] }
            }
        }
        numbers += noise(8000).indices.map {
            UInt(noise(4, seed: UInt64($0)).reduce(0) { $0 << 8 | Int($1) })
        }
        for number in numbers + [.max] {
            var text = [UInt8](repeating: 0x20, count: 3)
            text.append(addingCapacity: 20) { (output: inout OutputSpan<UInt8>) in
                output.append(decimal: number)
            }
            #expect(text == Array("   \(number)".utf8))
        }
    }

    @Test("loading words, also the last ones")
    func words() {
        let text = noise(40)
        for offset in 0...32 {
            let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(text[offset + $1]) << UInt64(8 * $1) }
            let loaded = text.span.word(at: offset)
            #expect(loaded == word)
        }
        for offset in 0..<40 {
            for count in 0...min(7, 40 - offset) {
                let word = (0..<count).reduce(UInt64(0)) { $0 | UInt64(text[offset + $1]) << UInt64(8 * $1) }
                let loaded = text.span.partialWord(at: offset, count: count)
                #expect(loaded == word)
            }
        }
    }

    @Test("ordering")
    func order() {
        let texts: [[UInt8]] =
            [[], [0], [0, 0], [1], [1, 255], [2], [127], [128], [128, 1], [255]] + [noise(40)]
        for left in texts {
            for right in texts {
                let precedes = left.span.precedes(right.span)
                #expect(precedes == left.lexicographicallyPrecedes(right))
            }
        }
    }

    @Test("counting two bytes, in every range", arguments: 0..<40)
    func occurrences(_ length: Int) {
        let text = noise(length + 5, seed: UInt64(length)).map {
            $0 % 5 == 0 ? 0x22 : $0 % 40 == 1 ? 0x5c : $0
        }
        for start in 0...5 {
            let range = start..<(start + length)
            let found = text.span.occurrences(of: 0x22, and: 0x5c, in: range)
            #expect(found.isOdd == (text[range].count { $0 == 0x22 } % 2 == 1))
            #expect(found.hasSecond == text[range].contains(0x5c))
        }
    }

    @Test("copying, at every length", arguments: 0..<80)
    func copies(_ length: Int) {
        let source = noise(length, seed: 3)
        let before: [UInt8] = [1, 2, 3]
        var appended = before
        appended.append(copying: source.span)
        #expect(appended == before + source)
        let copy = source.span.array
        #expect(copy == source)
        var target = noise(100)
        var expected = target
        expected.replaceSubrange(11..<(11 + length), with: source)
        var span = target.mutableSpan
        span.copy(source.span, to: 11)
        #expect(target == expected)
    }

    @Test("moving, also onto itself", arguments: [0, 1, 5, 17, 60])
    func moves(_ offset: Int) {
        var bytes = noise(100)
        var expected = bytes
        expected.replaceSubrange(offset..<(offset + 40), with: bytes[20..<60])
        var span = bytes.mutableSpan
        span.move(20..<60, to: offset)
        #expect(bytes == expected)
    }
}

@Suite("Hashes for lookups")
struct LookupHashTests {
    @Test("depend on every byte and on the length", arguments: 0..<70)
    func differences(_ length: Int) {
        let bytes = noise(length, seed: UInt64(length) + 1)
        let hash = LookupHash.hash(bytes.span)
        #expect(hash == LookupHash.hash(([1, 2, 3] + bytes + [4]).span.extracting(3..<(3 + length))))
        for place in 0..<length {
            var other = bytes
            other[place] ^= 1
            #expect(LookupHash.hash(other.span) != hash)
        }
        for more in [
            [0], [UInt8](repeating: 0, count: 8), [UInt8(length ^ (length + 8)), 0, 0, 0, 0, 0, 0, 0],
        ] {
            #expect(LookupHash.hash((bytes + more).span) != hash)
        }
    }
}

@Suite("Columns of bytes")
struct ByteColumnsTests {
    private static let integers: [Int] =
        [0, 1, 9, 10, 11, 99, 100, 999, 1000, 9999, 10_000, 99_999, 100_000, .max, .min, -1, -10]
        + (0..<63).flatMap { [1 << $0, (1 << $0) - 1, -(1 << $0)] }

    private func text(_ texts: ColumnTexts, _ number: Int) -> [UInt8] {
        var text: [UInt8] = []
        texts.append(number, to: &text)
        return text
    }

    @Test("hold integers in decimal, however many come at once", arguments: [1, 2, 7, 300])
    func integers(_ count: Int) {
        var columns = ByteColumns()
        columns.extend(to: 2)
        for start in stride(from: 0, to: Self.integers.count, by: count) {
            let values = Array(Self.integers[start..<min(start + count, Self.integers.count)])
            columns.append(values.span, to: 1)
        }
        let texts = columns.removeAll()
        let expected = Self.integers.map { "\($0)" }.joined(separator: ",")
        #expect(String(decoding: text(texts, 1), as: UTF8.self) == expected)
        #expect(text(texts, 0).isEmpty && texts.length == expected.utf8.count + 1)
        #expect(columns.count == 0)
    }

    @Test("hold bytes, keep apart and start over", arguments: [1, 3, 40, 500])
    func bytes(_ count: Int) {
        var columns = ByteColumns()
        for round in 0..<3 {
            columns.extend(to: 1)
            columns.extend(to: count + round)
            var expected = [[[UInt8]]](repeating: [], count: count + round)
            for number in 0..<3000 {
                let column = number * 7 % (count + round)
                let piece = noise(number % (number % 50 == 0 ? 10_000 : 70), seed: UInt64(number))
                // With something behind it and without.
                let more = piece + noise(number % 20)
                columns.append(1, of: more.span, to: column) { _ in 0..<piece.count }
                expected[column].append(piece)
            }
            let texts = columns.removeAll()
            for column in expected.indices {
                #expect(text(texts, column) == Array(expected[column].joined(separator: [0x2c])))
            }
        }
    }

    /// The values of a column; `[n]` is the one before it n times more.
    private func unrolled(_ text: [UInt8]) -> [String] {
        var values: [String] = []
        var rest = Substring(decoding: text, as: UTF8.self).utf8
        while !rest.isEmpty {
            // A string may have commas.
            let isString = rest.first == UInt8(ascii: "\"")
            let end =
                isString
                ? rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")).map(rest.index(after:))
                : rest.firstIndex(of: UInt8(ascii: ","))
            let value = Substring(rest[..<(end ?? rest.endIndex)])
            rest = rest[value.endIndex...].dropFirst()
            if value.first == "[", let times = Int(value.dropFirst().dropLast()), let last = values.last {
                values += [String](repeating: last, count: times)
            } else {
                values.append(String(value))
            }
        }
        return values
    }

    @Test("count what repeats, whatever comes between", arguments: 0..<20)
    func repetitions(seed: Int) {
        let values = ["0", "7", "\"a\"", "\"ab\"", "\"b,b\"", "\"\"", String(repeating: "9", count: 5000)]
        var columns = ByteColumns()
        columns.extend(to: 2)
        var expected: [[String]] = [[], []]
        for step in noise(300, seed: UInt64(seed)) {
            let value = Array(values[Int(step) % values.count].utf8)
            let times = Int(step) % 11 == 0 ? 2000 : Int(step) % 4 + 1
            let isQuoted = value[0] == UInt8(ascii: "\"") && step & 16 == 0
            for _ in 0..<times {
                if isQuoted {
                    columns.append(repetitive: value.span, quoting: 1..<(value.count - 1), to: 1)
                } else {
                    columns.append(1, of: value.span, to: 1) { _ in 0..<value.count }
                }
                expected[1].append(String(decoding: value, as: UTF8.self))
            }
            columns.append(repetitive: Int(step & 3), times: times, to: 0)
            expected[0] += [String](repeating: "\(step & 3)", count: times)
        }
        let texts = columns.removeAll()
        var length = 0
        for column in 0..<2 {
            let found = unrolled(text(texts, column))
            #expect(found == expected[column])
            length += expected[column].reduce(0) { $0 + $1.utf8.count + 1 }
        }
        #expect(texts.length < length)
        // Not longer than without.
        var short = ByteColumns()
        short.extend(to: 1)
        for (value, times) in [(5, 2), (6, 3), (777, 2), (8, 9)] {
            short.append(repetitive: value, times: times, to: 0)
        }
        let spelled = text(short.removeAll(), 0)
        #expect(String(decoding: spelled, as: UTF8.self) == "5,5,6,6,6,777,777,8,[8]")
    }
}
