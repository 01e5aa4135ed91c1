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
    /// The bytes around the holes, concatenated.
    private let literal: [UInt8]
    /// The holes, each with the offset in the literal where the piece before it ends.
    private let steps: [Step]
    /// The index of the hole with the start time; -1 if there is none.
    private let startHole: Int
    /// The index of the hole with the day that replaces a missing start time; -1 if there is none.
    private let dayHole: Int

    private struct Step: Sendable {
        let cut: Int
        let hole: Hole
    }

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
        literal = key.literal.bytes
        steps = zip(key.cuts, key.holes).map { Step(cut: $0, hole: $1) }
        let context = kind.context
        startHole = context.columns.firstIndex { $0.slot == context.startSlot } ?? -1
        // A start that is a text in place of a time has no template.
        dayHole =
            context.startsOnDay ? context.columns.firstIndex { $0.slot == context.startTextSlot } ?? -1 : -1
    }

    /// The result of matching a start tag.
    struct Match {
        let end: Int
        let isEmpty: Bool
        let start: Timestamp?
        /// The length of the packed values, in bytes.
        let length: Int
    }

    /// The maximum length of a value that a template matches, in bytes; the general parser reads longer ones.
    private static let longestText = 1 << 10
    /// Returns the maximum size of a row's packed values, in bytes.
    static func room(holes: Int) -> Int { holes * (longestText + 2 + Varint.longest) }

    /// Matches the element at `start` and packs its values.
    ///
    /// - Returns: nil if the element is of another kind or needs the general parser.
    @inline(__always)
    func match(
        _ bytes: Span<UInt8>, at start: Int, _ times: inout TimeReader, _ values: inout MutableSpan<UInt8>
    ) -> Match? {
        var index = start
        var position = 0
        var length = 0
        var begins: Timestamp?
        var seconds = 0
        for number in steps.indices {
            let step = steps[number]
            guard bytes.matches(at: index, literal, position..<step.cut) else { return nil }
            index += step.cut - position
            position = step.cut
            switch step.hole {
            case .time(let offsetMinutes):
                guard let time = times.read(bytes, at: index), time.offsetMinutes == offsetMinutes else {
                    return nil
                }
                Varint.putSigned(time.seconds - seconds, into: &values, at: &length)
                seconds = time.seconds
                if number == startHole { begins = time }
                index += Timestamp.length
            case .text(let measured):
                let numberEnd = measured ? endOfNumber(bytes, from: index) : index
                if numberEnd > index {
                    Self.put(bytes.extracting(index..<numberEnd), quoted: false, &values, &length)
                    index = numberEnd
                } else {
                    guard let end = endOfPlain(bytes, from: index), end - index <= Self.longestText else {
                        return nil
                    }
                    let text = bytes.extracting(index..<end)
                    Self.put(text, quoted: !(measured && JSONNumber.matches(text)), &values, &length)
                    index = end
                    if number == dayHole {
                        begins = CivilDate(text)?.start
                    }
                }
            case .pointer:
                guard let end = endOfPointer(bytes, from: index), end - index <= Self.longestText else {
                    return nil
                }
                Self.put(bytes.extracting(index..<end), quoted: true, &values, &length)
                index = end
            }
        }
        guard bytes.matches(at: index, literal, position..<literal.count) else { return nil }
        index += literal.count - position
        guard index + 1 < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ">") {
            return Match(end: index + 1, isEmpty: false, start: begins, length: length)
        }
        guard bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: ">") else { return nil }
        return Match(end: index + 2, isEmpty: true, start: begins, length: length)
    }

    /// Packs a text as `RowValues` does.
    @inline(__always)
    private static func put(
        _ text: Span<UInt8>, quoted: Bool, _ values: inout MutableSpan<UInt8>, _ length: inout Int
    ) {
        Varint.put(text.count + (quoted ? 2 : 0), into: &values, at: &length)
        if quoted {
            values[length] = UInt8(ascii: "\"")
            length += 1
        }
        values.copy(text, to: length)
        length += text.count
        if quoted {
            values[length] = UInt8(ascii: "\"")
            length += 1
        }
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
