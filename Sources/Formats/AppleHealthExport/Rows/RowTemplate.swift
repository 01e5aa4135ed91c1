import ByteSpans
import CivilTime
import JSONText
import SampleBatches

/// The start tag of a kind of row as bytes with holes.
///
/// If the next element matches, its names and shared texts need not be parsed again. A class, so that it can be tried
/// without being copied.
final class RowTemplate: Sendable {
    /// The kind of value in a hole.
    enum Hole: Hashable, Sendable {
        /// A time with this offset.
        case time(offsetMinutes: Int)
        /// A text with nothing to resolve or escape; a number if it is `measured` and spelled like a number.
        case text(measured: Bool)
        /// The pointer of a device description.
        case pointer
    }

    let kind: RowKind
    /// The bytes with holes; whoever matches many rows looks it up once.
    let pattern: Pattern

    /// The properties that distinguish templates.
    struct Key: Hashable, Sendable {
        /// The bytes around the holes, concatenated.
        let literal: HashedBytes
        /// For each hole, the offset in `literal` where the piece before it ends.
        let cuts: [Int]
        /// The kinds of values in the holes; times with different offsets are different kinds.
        let holes: [Hole]
    }

    init(kind: RowKind, key: Key) {
        self.kind = kind
        pattern = Pattern(kind.context, key)
    }
}

extension RowTemplate {
    /// The bytes of a start tag, and the holes in them.
    struct Pattern: Sendable {
        /// The bytes around the holes, concatenated.
        private let literal: [UInt8]
        /// The holes, each with the offset in the literal where the piece before it ends.
        private let steps: [Step]
        /// The number of holes before the first time; 0 if there is no time, or a day among them, which must be read.
        private let leadCount: Int
        /// The index of the hole with the start time; -1 if there is none.
        private let startHole: Int
        /// The index of the hole with the day that replaces a missing start time; -1 if there is none.
        private let dayHole: Int

        private struct Step: Sendable {
            let cut: Int
            let hole: Hole
        }

        init(_ context: BatchContext, _ key: Key) {
            literal = key.literal.bytes
            steps = zip(key.cuts, key.holes).map { Step(cut: $0, hole: $1) }
            startHole = context.columns.firstIndex { $0.slot == context.startSlot } ?? -1
            // A start that is a text in place of a time has no template.
            dayHole =
                context.startsOnDay
                ? context.columns.firstIndex { $0.slot == context.startTextSlot } ?? -1 : -1
            leadCount = dayHole < 0 ? context.columns.firstIndex { $0.isTime } ?? 0 : 0
        }
    }
}

extension RowTemplate.Pattern {
    /// The bytes of the last row up to its first time, which are often the same in the next row.
    struct Lead {
        /// Where the row starts.
        var start = 0
        /// The number of bytes; 0 if there is no row yet, or nothing but the literal in them.
        var length = 0
        /// The size of the values in them.
        var size = 0
    }

    /// The result of matching a start tag.
    struct Match {
        let end: Int
        let isEmpty: Bool
        let start: Timestamp?
        /// The number of cells.
        let count: Int
        /// The size of the values, as `RowValues` counts it.
        let size: Int
    }

    /// The maximum length of a value that a template matches, in bytes; the general parser reads longer ones.
    private static let longestText = 1 << 10

    /// Matches the element at `start`.
    ///
    /// - Parameters:
    ///   - lead: What the row before had up to its first time, if it is in the same window and `cells` are its cells.
    ///   - cells: Receives the values; there must be enough.
    /// - Returns: nil if the element is of another kind or needs the general parser.
    @inline(__always)
    func match(
        _ bytes: Span<UInt8>, at start: Int, after lead: inout Lead, _ times: inout TimeReader,
        _ cells: inout MutableSpan<Int>
    ) -> Match? {
        var index = start
        var position = 0
        var size = 0
        var begins: Timestamp?
        var seconds = 0
        var number = 0
        let (literal, steps) = (literal.span, steps.span)
        if lead.length > 0, bytes.matches(at: start, bytes, lead.start..<(lead.start + lead.length)) {
            for hole in 0..<leadCount { cells[hole] += start - lead.start }
            lead.start = start
            index += lead.length
            size = lead.size
            number = leadCount
            position = steps[number].cut
        }
        while number < steps.count {
            let step = steps[number]
            guard bytes.matches(at: index, literal, position..<step.cut) else { return nil }
            index += step.cut - position
            position = step.cut
            if number == leadCount, number > 0 {
                lead = Lead(start: start, length: index - start, size: size)
            }
            switch step.hole {
            case .time(let offsetMinutes):
                guard let time = times.read(bytes, at: index), time.offsetMinutes == offsetMinutes else {
                    return nil
                }
                let distance = time.seconds - seconds
                cells[number] = distance
                size += RowValues.size(ofTime: distance)
                seconds = time.seconds
                if number == startHole { begins = time }
                index += Timestamp.length
            case .text(let measured):
                let numberEnd = measured ? endOfNumber(bytes, from: index) : index
                if numberEnd > index {
                    cells[number] = TokenPlace(index..<numberEnd).code
                    size += RowValues.size(ofToken: numberEnd - index)
                    index = numberEnd
                } else {
                    guard let end = endOfPlain(bytes, from: index), end - index <= Self.longestText else {
                        return nil
                    }
                    let text = bytes.extracting(index..<end)
                    // The quotes of a string are those of the attribute.
                    let token =
                        measured && JSONNumber.matches(text) ? index..<end : (index - 1)..<(end + 1)
                    cells[number] = TokenPlace(token).code
                    size += RowValues.size(ofToken: token.count)
                    index = end
                    if number == dayHole {
                        begins = CivilDate(text)?.start
                    }
                }
            case .pointer:
                guard let end = endOfPointer(bytes, from: index), end - index <= Self.longestText else {
                    return nil
                }
                cells[number] = TokenPlace(withoutQuotes: index..<end).code
                size += RowValues.size(ofToken: end - index + 2)
                index = end
            }
            number += 1
        }
        guard bytes.matches(at: index, literal, position..<literal.count) else { return nil }
        index += literal.count - position
        guard index + 1 < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ">") {
            return Match(end: index + 1, isEmpty: false, start: begins, count: steps.count, size: size)
        }
        guard bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: ">") else { return nil }
        return Match(end: index + 2, isEmpty: true, start: begins, count: steps.count, size: size)
    }

    /// Finds the quote after a number of the most common form: up to eight digits, with any number of decimals.
    ///
    /// - Returns: The offset of the quote, or `start` for anything else.
    @inline(__always)
    private func endOfNumber(_ bytes: Span<UInt8>, from start: Int) -> Int {
        guard start + 8 < bytes.count else { return start }
        var index = start + EightBytes(bytes.word(at: start)).digitCount
        guard index > start, bytes[start] != 0x30 || index == start + 1 else { return start }
        if bytes[index] == UInt8(ascii: ".") {
            let point = index
            index = bytes.endOfRun(from: point + 1) { $0.digitCount }
            guard index > point + 1, index < bytes.count, index - start <= Self.longestText else {
                return start
            }
        }
        return bytes[index] == UInt8(ascii: "\"") ? index : start
    }

    /// Returns the offset of the quote after an ASCII text with nothing to resolve or escape; nil for other texts.
    @inline(__always)
    private func endOfPlain(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index }
            if byte < 0x20 || byte > 0x7e || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
                || byte == UInt8(ascii: "\\")
            {
                return nil
            }
            index += 1
        }
        return nil
    }

    @inline(__always)
    private func endOfPointer(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start + 2 < bytes.count, bytes[start] == UInt8(ascii: "0"),
            bytes[start + 1] == UInt8(ascii: "x")
        else {
            return nil
        }
        let index = bytes.endOfHexadecimal(from: start + 2)
        return index > start + 2 ? index : nil
    }
}
