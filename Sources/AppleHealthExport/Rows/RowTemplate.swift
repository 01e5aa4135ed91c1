import ByteSpans
import HealthModel
import JSONText

/// The start tag of a kind of row as bytes with holes: where the next element matches one, neither its names nor its
/// shared texts need to be looked at again.
struct RowTemplate: Sendable {
    /// What is in a hole.
    enum Hole: Sendable, Equatable {
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
    /// Where the piece before each hole ends in `literal`.
    private let cuts: [Int]
    private let holes: [Hole]
    /// The hole that holds the start, -1 where none does.
    private let startHole: Int

    /// What tells templates apart.
    struct Key: Hashable, Sendable {
        let literal: [UInt8]
        let cuts: [Int]
    }

    init(kind: RowKind, key: Key, holes: [Hole]) {
        self.kind = kind
        literal = key.literal
        cuts = key.cuts
        self.holes = holes
        startHole = kind.context.columns.firstIndex { $0.slot == kind.context.startSlot } ?? -1
    }

    /// What was found behind the start tag.
    struct Match {
        let end: Int
        let isEmpty: Bool
        let start: Timestamp?
    }

    /// Matches the element at `start` and packs its values; nil where it is of another kind or needs a closer look.
    @inline(__always)
    func match(
        _ bytes: Span<UInt8>, at start: Int, _ times: inout TimeReader, _ values: inout RowValues
    ) -> Match? {
        var index = start
        var position = 0
        var begins: Timestamp?
        let pieces = literal.span
        for number in holes.indices {
            let cut = cuts[number]
            guard bytes.matches(at: index, pieces, position..<cut) else { return nil }
            index += cut - position
            position = cut
            switch holes[number] {
            case .time(let offsetMinutes):
                guard let time = times.read(bytes, at: index), time.offsetMinutes == offsetMinutes else {
                    return nil
                }
                values.append(instant: time.seconds)
                if number == startHole { begins = time }
                index += Timestamp.length
            case .text(let measured):
                guard let end = endOfPlain(bytes, from: index) else { return nil }
                let text = bytes.extracting(index..<end)
                values.append(plain: text, quoted: !(measured && JSONNumber.matches(text)))
                index = end
            case .pointer:
                guard let end = endOfPointer(bytes, from: index) else { return nil }
                values.append(plain: bytes.extracting(index..<end), quoted: true)
                index = end
            }
        }
        guard bytes.matches(at: index, pieces, position..<pieces.count) else { return nil }
        index += pieces.count - position
        guard index + 1 < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ">") { return Match(end: index + 1, isEmpty: false, start: begins) }
        guard bytes[index] == UInt8(ascii: "/"), bytes[index + 1] == UInt8(ascii: ">") else { return nil }
        return Match(end: index + 2, isEmpty: true, start: begins)
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
        var index = start + 2
        while index < bytes.count, Self.isHexadecimal(bytes[index]) { index += 1 }
        return index > start + 2 ? index : nil
    }

    @inline(__always)
    static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
}
