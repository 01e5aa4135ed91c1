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
    private var contents: [ListedContent] = []
    private var lastKind = 0

    /// A content that stands in a row, so that later rows can point to it.
    private struct ListedContent {
        let hash: UInt64
        /// Where its bytes stand in the run.
        let offset: Int
        let length: Int
    }

    init(type: Int, span: CalendarSpan) {
        self.type = type
        self.span = span
    }

    /// Appends everything of a row but its values.
    func appendHeader(
        _ kind: RowKind, _ content: RowContent?, _ position: Int, _ valueCount: Int, _ arena: RowArena,
        to header: inout [UInt8]
    ) {
        RowCoding.append(number(of: kind), to: &header)
        if let content {
            if let number = number(of: content, arena) {
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

    private func number(of content: RowContent, _ arena: RowArena) -> Int? {
        contents.firstIndex { listed in
            listed.hash == content.hash && listed.length == content.json.count
                && arena.matches(rows, at: listed.offset, content.json)
        }
    }

    /// Takes note of a row whose bytes are appended right after.
    func note(
        _ kind: RowKind, _ content: RowContent?, _ position: Int, _ start: Timestamp?, _ header: [UInt8]
    ) {
        if lastKind == kinds.count { kinds.append(kind) }
        if let content, ListedContents.takes(content.json.count, after: contents.count),
            let place = RowCoding.contentPlace(in: header.span)
        {
            contents.append(
                ListedContent(hash: content.hash, offset: rows.count + place, length: content.json.count))
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
            key: key, contexts: kinds.map(\.context), count: count, first: first, last: last, rows: rows)
    }
}

/// Which contents later rows of a batch can point to.
///
/// Writer and reader of the rows go by the same rule.
enum ListedContents: Sendable {
    /// Behind so many, contents only stand in their rows.
    private static let most = 32
    /// Longer ones hardly repeat.
    private static let longest = 512

    static func takes(_ length: Int, after count: Int) -> Bool { count < most && length <= longest }
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

    /// Where the content stands in the packed start of a row, nil where it only points to one.
    static func contentPlace(in header: Span<UInt8>) -> Int? {
        var offset = 0
        _ = read(header, at: &offset)
        guard read(header, at: &offset) == 1 else { return nil }
        _ = read(header, at: &offset)
        return offset
    }
}
