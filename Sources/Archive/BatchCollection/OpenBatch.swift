import AppleHealthExport
import CivilTime
import SampleBatches

/// A batch that still accepts rows.
///
/// It is a class so that appending a row changes it in place.
///
/// A row is packed as: number of its kind, code of its content, length and bytes of the content if it is not listed,
/// distance from the position of the previous row, length of the values, values.
final class OpenBatch {
    let place: BatchPlace
    var rows = RowArena.Run()
    private(set) var count = 0
    /// An upper bound on the size of the rows as NDJSON, in bytes.
    private(set) var lineBytes = 0
    private(set) var firstPosition = 0
    private(set) var lastPosition = 0
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
    private var kinds: [RowKind] = []
    private var contents: [ListedContent] = []
    private var lastKind = 0

    /// The content of a row that later rows can refer to.
    private struct ListedContent {
        let hash: UInt64
        /// The offset of its bytes in the run.
        let offset: Int
        let length: Int
    }

    init(at place: BatchPlace) { self.place = place }

    /// Appends everything in a row except its values.
    func appendHeader(of row: IncomingRow, _ arena: RowArena, to header: inout [UInt8]) {
        Varint.append(number(of: row.kind), to: &header)
        if let content = row.content {
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
        Varint.append(row.position - lastPosition, to: &header)
        Varint.append(row.valuesLength, to: &header)
    }

    /// Returns the number of a kind, if the batch already contains it.
    func knownNumber(of kind: RowKind) -> Int? {
        let number = number(of: kind)
        return number < kinds.count ? number : nil
    }

    /// Returns the code of a content, if later rows can refer to it.
    func code(of content: RowContent, _ arena: RowArena) -> Int? { number(of: content, arena).map { $0 + 2 } }

    /// Appends a row after `rowBytes` bytes of rows; it is counted later.
    func append(_ row: [UInt8], behind rowBytes: Int, _ arena: inout RowArena) {
        rows.extend(to: rowBytes)
        arena.append(row.span, to: &rows)
    }

    /// Records rows that were appended directly, none with a new kind or content.
    func updateCounts(
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

    /// Records a row whose bytes, starting with `header`, are appended next.
    func record(_ row: IncomingRow, header: [UInt8]) {
        lineBytes += row.lineSize
        if lastKind == kinds.count { kinds.append(row.kind) }
        if let content = row.content, ListedContents.takes(content.json.count, after: contents.count),
            let place = ListedContents.place(in: header.span)
        {
            contents.append(
                ListedContent(hash: content.hash, offset: rows.count + place, length: content.json.count))
        }
        if count == 0 { firstPosition = row.position }
        count += 1
        lastPosition = row.position
        first.lower(to: row.start)
        last.raise(to: row.start)
    }

    /// Returns the batch with its rows, which are not in it.
    func closed(key: SampleBatch.Key, rows: [UInt8]) -> ClosedBatch {
        ClosedBatch(
            key: key, contexts: kinds.map(\.context), count: count, first: first, last: last, rows: rows)
    }
}

/// The rule that determines which contents later rows of a batch can refer to.
///
/// The writer and the reader of the rows use the same rule.
enum ListedContents: Sendable {
    /// The maximum number of listed contents; further ones are stored only in their rows.
    private static let most = 32
    /// The maximum length of a listed content, in bytes; longer ones rarely repeat.
    private static let longest = 512

    static func takes(_ length: Int, after count: Int) -> Bool { count < most && length <= longest }

    /// Returns the offset of the content in the packed header of a row; nil if the header does not include a content.
    static func place(in header: Span<UInt8>) -> Int? {
        var offset = 0
        _ = Varint.read(header, at: &offset)
        guard Varint.read(header, at: &offset) == 1 else { return nil }
        _ = Varint.read(header, at: &offset)
        return offset
    }
}
