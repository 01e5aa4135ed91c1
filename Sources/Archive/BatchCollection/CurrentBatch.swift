import AppleHealthExport
import ByteSpans
import CivilTime
import SampleBatches

/// A fast path that appends rows to the batch of the previous row.
///
/// It accepts rows of the same kind and span that fit and whose content, if any, is already listed in the batch. Call
/// ``flush()`` before using the batch in any other way.
struct CurrentBatch {
    private var batch: OpenBatch?
    private var serial = -1
    private var kindNumber = 0
    /// The instants in the batch's span that the query covers.
    private var instants = 0..<0
    private var byteLimit = 0
    private var rowLimit = 0

    // The batch's counts, ahead of those stored in the batch.
    private var count = 0
    private var rowBytes = 0
    private var lineBytes = 0
    private var lastPosition = 0
    /// The number of the last row among all rows of the source.
    private var lastRow = 0
    private var first: Timestamp?
    private var last: Timestamp?

    /// The offset of the next row in the arena.
    private var place = 0
    private var room = 0
    /// The contents that were looked up, with identifiers for quick comparison.
    private var contents: [RowContent] = []
    private var identifiers: [ObjectIdentifier] = []
    private var codes: [Int] = []
    /// An upper bound on the bytes of a line of this kind without its texts, and the number of times a text may occur
    /// in it.
    private var lineSize = 0
    private var lineTexts = 1

    private static let mostContents = 8

    /// Creates an instance that appends no rows.
    init() {}

    /// Creates an instance that appends rows like the previous one, as long as they start within `instants`.
    init(
        _ batch: OpenBatch, like row: IncomingRow, instants: Range<Int>, _ options: BatchOptions,
        _ arena: RowArena, elementSize: Int
    ) {
        guard let number = batch.knownNumber(of: row.kind) else { return }
        self.batch = batch
        serial = row.kind.serial
        kindNumber = number
        self.instants = instants
        byteLimit = options.byteLimit
        rowLimit = options.rowLimit
        count = batch.count
        rowBytes = batch.rows.count
        lineBytes = batch.lineBytes
        lineSize = row.kind.context.lineSize + elementSize
        lineTexts = row.kind.context.mayBeOdd ? 2 : 1
        lastPosition = batch.lastPosition
        first = batch.first
        last = batch.last
        (place, room) = arena.tail(of: batch.rows)
        if let content = row.content { _ = code(of: content, arena) }
    }

    /// Appends a row; returns false if it does not qualify for the fast path.
    @inline(__always)
    mutating func appendIfSimilar(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp, values: Span<UInt8>,
        number: Int, _ arena: inout RowArena
    ) -> Bool {
        guard kind.serial == serial, instants.contains(start.seconds) else { return false }
        var code = 0
        if let content {
            guard let known = self.code(of: content, arena) else { return false }
            code = known
        }
        let step = position - lastPosition
        let size =
            Varint.length(of: kindNumber) + Varint.length(of: code) + Varint.length(of: step)
            + Varint.length(of: values.count) + values.count
        let line = lineSize + lineTexts * values.count + (content?.json.count ?? 0)
        guard rowBytes + size <= byteLimit, count < rowLimit, lineBytes + line <= BatchOptions.lineLimit
        else { return false }
        if size <= room {
            arena.put(kind: kindNumber, content: code, step: step, values, at: &place)
            room -= size
        } else {
            guard wrap(code, step, values, size, &arena) else { return false }
        }
        rowBytes += size
        lineBytes += line
        count += 1
        lastRow = number
        lastPosition = position
        first.lower(to: start)
        last.raise(to: start)
        return true
    }

    /// Appends a row that does not fit into the batch's last piece, if the arena has a free one.
    private mutating func wrap(
        _ code: Int, _ step: Int, _ values: Span<UInt8>, _ size: Int, _ arena: inout RowArena
    ) -> Bool {
        guard let batch, size - room <= RowArena.pieceSize, arena.freeCount > 0 else { return false }
        var row: [UInt8] = []
        row.reserveCapacity(size)
        for number in [kindNumber, code, step, values.count] { Varint.append(number, to: &row) }
        row.append(copying: values)
        batch.append(row, behind: rowBytes, &arena)
        (place, room) = arena.tail(of: batch.rows)
        return true
    }

    @inline(__always)
    private mutating func code(of content: RowContent, _ arena: RowArena) -> Int? {
        let identifier = ObjectIdentifier(content)
        for index in identifiers.indices where identifiers[index] == identifier { return codes[index] }
        return lookUp(content, arena)
    }

    private mutating func lookUp(_ content: RowContent, _ arena: RowArena) -> Int? {
        guard let code = batch?.code(of: content, arena) else { return nil }
        if contents.count == Self.mostContents {
            contents.removeAll(keepingCapacity: true)
            identifiers.removeAll(keepingCapacity: true)
            codes.removeAll(keepingCapacity: true)
        }
        contents.append(content)
        identifiers.append(ObjectIdentifier(content))
        codes.append(code)
        return code
    }

    /// Writes the counts back to the batch, and stops appending rows.
    ///
    /// - Returns: The batch and the number of the last row, if rows were appended.
    mutating func flush() -> (batch: OpenBatch, lastRow: Int)? {
        guard let batch else { return nil }
        defer { self = CurrentBatch() }
        guard count > batch.count else { return nil }
        batch.updateCounts(
            count: count, lineBytes: lineBytes, lastPosition: lastPosition, first: first, last: last,
            rowBytes: rowBytes)
        return (batch, lastRow)
    }
}
