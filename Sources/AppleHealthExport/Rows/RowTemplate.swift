import ByteSpans
import JSONText
import SampleBatches

/// The start tag of a kind of row as bytes with holes: where the next element matches one, neither its names nor its
/// shared texts need to be looked at again.
///
/// It is an object, so that it can be tried without being copied.
final class RowTemplate: Sendable {
    /// What is in a hole.
    enum Hole: Hashable, Sendable {
        /// A time with this offset.
        case time(offsetMinutes: Int)
        /// A text without references and control characters; a number where it is `measured` and spelled like one.
        case text(measured: Bool)
        /// The pointer of a device description.
        case pointer
    }

    let kind: RowKind
    /// The bytes around the holes, one behind the other.
    private let literal: [UInt8]
    /// The holes, each with the place in the literal where the piece before it ends.
    private let steps: [Step]
    /// The hole that holds the start, -1 where none does.
    private let startHole: Int
    /// The hole that holds the day which stands for the start, -1 where none does.
    private let dayHole: Int

    private struct Step: Sendable {
        let cut: Int
        let hole: Hole
    }

    /// What tells templates apart.
    struct Key: Hashable, Sendable {
        /// The bytes around the holes, one behind the other.
        let literal: HashedBytes
        /// Where the piece before each hole ends in `literal`.
        let cuts: [Int]
        /// What is in the holes: times with one offset are of another kind than those with another one.
        let holes: [Hole]
    }

    init(kind: RowKind, key: Key) {
        self.kind = kind
        literal = key.literal.bytes
        steps = zip(key.cuts, key.holes).map { Step(cut: $0, hole: $1) }
        let context = kind.context
        startHole = context.columns.firstIndex { $0.slot == context.startSlot } ?? -1
        dayHole =
            context.startSlot == nil ? context.columns.firstIndex { $0.slot == context.daySlot } ?? -1 : -1
    }

    /// What was found behind the start tag.
    struct Match {
        let end: Int
        let isEmpty: Bool
        let start: Timestamp?
        /// Length of the packed values.
        let length: Int
    }

    /// Longer values are left to the general way of reading.
    private static let longestText = 1 << 10
    /// What the values of a row need at most.
    static func room(holes: Int) -> Int { holes * (longestText + 2 + Varint.longest) }

    /// Matches the element at `start` and packs its values; nil where it is of another kind or needs a closer look.
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

    /// Where the quote behind a number of the commonest form stands: at most eight digits, and more behind a point.
    ///
    /// - Returns: `start` for anything else.
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

    /// Where the quote behind a text without anything to resolve or escape stands.
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
