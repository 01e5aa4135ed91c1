import AppleHealthExport
import HealthModel

/// A batch that still takes rows.
///
/// It is an object, not a value, so that a row changes it where it is.
///
/// A row is packed as: number of its kind, code of its content, the content where it is not in the list, the distance
/// to the position of the row before, length of the values, values.
final class OpenBatch {
    let type: Int
    let span: CalendarSpan
    var rows = RowArena.Run()
    private(set) var count = 0
    private(set) var firstPosition = 0
    private var lastPosition = 0
    private var first: Timestamp?
    private var last: Timestamp?
    private var kinds: [RowKind] = []
    private var contents: [RowContent] = []
    private var lastKind = 0

    /// Contents that many rows share are listed; behind so many, they stand in the rows.
    private static let listed = 32
    /// Longer ones hardly repeat, and would be held twice while they are.
    private static let longestListed = 512

    init(type: Int, span: CalendarSpan) {
        self.type = type
        self.span = span
    }

    /// Appends everything of a row but its values.
    func appendHeader(
        _ kind: RowKind, _ content: RowContent?, _ position: Int, _ valueCount: Int, to header: inout [UInt8]
    ) {
        RowCoding.append(number(of: kind), to: &header)
        if let content {
            if let number = number(of: content) {
                RowCoding.append(number + 2, to: &header)
            } else {
                RowCoding.append(1, to: &header)
                RowCoding.append(content.json.count, to: &header)
                header.append(contentsOf: content.json)
            }
        } else {
            RowCoding.append(0, to: &header)
        }
        RowCoding.append(position - lastPosition, to: &header)
        RowCoding.append(valueCount, to: &header)
    }

    private func number(of kind: RowKind) -> Int {
        if kinds.indices.contains(lastKind), kinds[lastKind].serial == kind.serial { return lastKind }
        lastKind = kinds.firstIndex { $0.serial == kind.serial } ?? kinds.count
        return lastKind
    }

    private func number(of content: RowContent) -> Int? {
        for index in contents.indices where contents[index].hash == content.hash {
            if contents[index] === content || contents[index].json == content.json { return index }
        }
        return nil
    }

    /// Takes note of a row whose bytes are appended right after.
    func note(_ kind: RowKind, _ content: RowContent?, _ position: Int, _ start: Timestamp?) {
        if lastKind == kinds.count { kinds.append(kind) }
        if let content, contents.count < Self.listed, content.json.count <= Self.longestListed,
            number(of: content) == nil
        {
            contents.append(content)
        }
        if count == 0 { firstPosition = position }
        count += 1
        lastPosition = position
        guard let start else { return }
        if first.map({ start.seconds < $0.seconds }) ?? true { first = start }
        if last.map({ start.seconds > $0.seconds }) ?? true { last = start }
    }

    func closed(key: SampleBatch.Key, rows: [UInt8]) -> ClosedBatch {
        ClosedBatch(
            key: key, contexts: kinds.map(\.context), contents: contents.map(\.json), count: count,
            first: first,
            last: last, rows: rows)
    }
}

/// Unsigned integers in groups of seven bits, the lowest first.
enum RowCoding: Sendable {
    static func append(_ value: Int, to output: inout [UInt8]) {
        var rest = UInt(value)
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> Int {
        var value: UInt = 0
        var shift: UInt = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            value |= UInt(byte & 0x7f) << shift
            if byte < 0x80 { return Int(value) }
            shift += 7
        }
    }
}
