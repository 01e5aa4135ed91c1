import AppleHealthExport
import SampleBatches

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
    /// No more bytes have the rows as NDJSON.
    private(set) var lineBytes = 0
    private(set) var firstPosition = 0
    private(set) var lastPosition = 0
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
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
        Varint.append(number(of: kind), to: &header)
        if let content {
            if let number = number(of: content, arena) {
                Varint.append(number + 2, to: &header)
            } else {
                Varint.append(1, to: &header)
                Varint.append(content.json.count, to: &header)
                header.append(contentsOf: content.json)
            }
        } else {
            Varint.append(0, to: &header)
        }
        Varint.append(position - lastPosition, to: &header)
        Varint.append(valueCount, to: &header)
    }

    /// The number of a kind that the batch has already.
    func knownNumber(of kind: RowKind) -> Int? {
        let number = number(of: kind)
        return number < kinds.count ? number : nil
    }

    /// The code of a content that later rows can point to.
    func code(of content: RowContent, _ arena: RowArena) -> Int? { number(of: content, arena).map { $0 + 2 } }

    /// Appends a row of which note is taken later, behind so many bytes of rows.
    func append(_ row: [UInt8], behind rowBytes: Int, _ arena: inout RowArena) {
        rows.extend(to: rowBytes)
        arena.append(row.span, to: &rows)
    }

    /// Takes note of rows that were appended without asking, none of a new kind or with a new content.
    func settle(
        count: Int, lineBytes: Int, lastPosition: Int, first: Timestamp?, last: Timestamp?, rowBytes: Int
    ) {
        self.count = count
        self.lineBytes = lineBytes
        self.lastPosition = lastPosition
        self.first = first
        self.last = last
        rows.extend(to: rowBytes)
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
        _ kind: RowKind, _ content: RowContent?, _ position: Int, _ start: Timestamp?, _ header: [UInt8],
        lineSize: Int
    ) {
        lineBytes += lineSize
        if lastKind == kinds.count { kinds.append(kind) }
        if let content, ListedContents.takes(content.json.count, after: contents.count),
            let place = ListedContents.place(in: header.span)
        {
            contents.append(
                ListedContent(hash: content.hash, offset: rows.count + place, length: content.json.count))
        }
        if count == 0 { firstPosition = position }
        count += 1
        lastPosition = position
        first.lower(to: start)
        last.raise(to: start)
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

    /// Where the content stands in the packed start of a row, nil where it only points to one.
    static func place(in header: Span<UInt8>) -> Int? {
        var offset = 0
        _ = Varint.read(header, at: &offset)
        guard Varint.read(header, at: &offset) == 1 else { return nil }
        _ = Varint.read(header, at: &offset)
        return offset
    }
}
