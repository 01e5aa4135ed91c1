import AppleHealthExport
import ByteSpans
import CivilTime
import SampleBatches

/// A batch that still accepts rows.
///
/// Where it ends depends on the size that its rows would have as packed integers and texts: number of the kind, code of
/// the content, the content if it is not listed, distance from the position of the previous row, size of the values, values.
struct OpenBatch: ~Copyable {
    let place: BatchPlace
    private var columns: BatchColumns
    /// The size of the rows.
    private(set) var size = 0
    /// An upper bound on the size of the rows as NDJSON, in bytes.
    private(set) var lineBytes = 0
    private(set) var firstPosition = 0
    /// The kinds of its rows, no two of which have the same context: it is closed when kinds are forgotten.
    private var kinds: [Kind] = []
    private var lastKind = 0
    /// The codes of contents, by their numbers; 1 for those that later rows cannot refer to.
    private var codes: [Int] = []
    private var listedCount = 0
    /// The number of the last row among all rows of the source.
    private(set) var lastRow = 0

    private struct Kind {
        let serial: Int
        /// The number of its context.
        let context: Int
        let contextSize: Int
    }

    // What the next row must have in common with the last one to be appended without looking anything up.

    private var likeSerial = -1
    private var likeContext = 0
    /// The instants in the batch's span that the query covers.
    private var likeInstants = 0..<0
    /// An upper bound on the bytes of a line without its texts, and the number of times a text may occur in it.
    private var likeLine = (size: 0, texts: 1)
    private var recent = RecentContents()

    init(at place: BatchPlace, element: String) {
        self.place = place
        columns = BatchColumns(element: element)
    }

    /// Number of rows.
    var count: Int { columns.count }
    /// The number of pieces of memory that the rows count for.
    var pieces: Int { MemoryPieces.pieces(for: size) }

    /// Returns the number of further pieces that `more` bytes need.
    func missingPieces(for more: Int) -> Int { MemoryPieces.pieces(for: size + more) - pieces }

    /// Returns the size of a row if it is appended next.
    mutating func size(of row: IncomingRow) -> Int {
        var size = RowValues.size(ofNumber: number(of: row.kind))
        if let content = row.content {
            let code = code(of: content)
            size += RowValues.size(ofNumber: code)
            if code == Self.unlisted { size += RowValues.size(ofToken: content.json.count) }
        } else {
            size += 1
        }
        return size + RowValues.size(ofNumber: row.position - columns.lastPosition)
            + RowValues.size(ofNumber: row.size) + row.size
    }

    /// Returns whether a row of this size would exceed a limit.
    func isFull(for row: IncomingRow, size: Int, _ options: BatchOptions) -> Bool {
        self.size + size > options.byteLimit || count >= options.rowLimit
            || lineBytes + row.lineSize > BatchOptions.lineLimit && count != 0
    }

    private mutating func number(of kind: RowKind) -> Int {
        if kinds.indices.contains(lastKind), kinds[lastKind].serial == kind.serial { return lastKind }
        lastKind = kinds.firstIndex { $0.serial == kind.serial } ?? kinds.count
        return lastKind
    }

    /// The code of a content that is stored with its row.
    private static let unlisted = 1
    /// The maximum number of listed contents; further ones count with each row.
    private static let mostListed = 32
    /// The maximum length of a listed content, in bytes; longer ones rarely repeat.
    private static let longestListed = 512

    private func code(of content: RowContent) -> Int {
        if let place = recent.place(of: content) { return place.code }
        return columns.knownNumber(ofContent: content.key).map { codes[$0 - 1] } ?? Self.unlisted
    }

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - size: The size of the row.
    ///   - number: The number of the row among all rows of the source.
    mutating func append(
        _ row: IncomingRow, _ cells: Span<Int>, _ text: Span<UInt8>, size: Int, number: Int
    ) {
        let kind = self.number(of: row.kind)
        if kind == kinds.count {
            let context = row.kind.context
            kinds.append(
                Kind(
                    serial: row.kind.serial, context: columns.add(context),
                    contextSize: context.json.count))
        }
        let content = row.content.map { self.number(of: $0) } ?? 0
        if count == 0 { firstPosition = row.position }
        columns.append(
            RowHead(context: kinds[kind].context, content: content, position: row.position),
            start: row.start, cells: cells, text: text)
        self.size += size
        lineBytes += row.lineSize
        lastRow = number
    }

    private mutating func number(of content: RowContent) -> Int {
        if let place = recent.place(of: content) { return place.number }
        let number = columns.number(ofContent: content.key)
        if number > codes.count {
            let isListed = listedCount < Self.mostListed && content.json.count <= Self.longestListed
            codes.append(isListed ? listedCount + 2 : Self.unlisted)
            if isListed { listedCount += 1 }
        }
        return number
    }

    /// Lets ``appendIfSimilar(_:content:position:start:cells:text:size:number:_:_:)`` accept rows like one that was
    /// appended, as long as they start within `instants`.
    mutating func acceptSimilar(to row: IncomingRow, instants: Range<Int>, elementSize: Int) {
        if likeSerial != row.kind.serial {
            likeSerial = row.kind.serial
            likeContext = kinds[lastKind].context
            likeLine = (row.kind.context.lineSize + elementSize, row.kind.context.mayBeOdd ? 2 : 1)
        }
        likeInstants = instants
        if let content = row.content { _ = listed(content) }
    }

    /// Appends a row of the same kind and span as the last one if it fits, and if its content is listed.
    @inline(__always)
    mutating func appendIfSimilar(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp, cells: Span<Int>,
        text: Span<UInt8>, size valuesSize: Int, number: Int, _ memory: inout MemoryPieces,
        _ options: BatchOptions
    ) -> Bool {
        guard kind.serial == likeSerial, likeInstants.contains(start.seconds) else { return false }
        var listed = (number: 0, code: 0, length: 0)
        if let content {
            guard let known = self.listed(content) else { return false }
            listed = known
        }
        let size =
            RowValues.size(ofNumber: lastKind) + RowValues.size(ofNumber: listed.code)
            + RowValues.size(ofNumber: position - columns.lastPosition)
            + RowValues.size(ofNumber: valuesSize) + valuesSize
        let line = likeLine.size + likeLine.texts * valuesSize + listed.length
        guard self.size + size <= options.byteLimit, count < options.rowLimit,
            lineBytes + line <= BatchOptions.lineLimit, memory.extend(self.size, by: size)
        else { return false }
        columns.append(
            RowHead(context: likeContext, content: listed.number, position: position), start: start,
            cells: cells, text: text)
        self.size += size
        lineBytes += line
        lastRow = number
        return true
    }

    /// Returns the number, the code and the length of a content if it is listed.
    @inline(__always)
    private mutating func listed(_ content: RowContent) -> (number: Int, code: Int, length: Int)? {
        recent.place(of: content) ?? lookUp(content)
    }

    private mutating func lookUp(_ content: RowContent) -> (number: Int, code: Int, length: Int)? {
        guard let number = columns.knownNumber(ofContent: content.key),
            case let code = codes[number - 1], code != Self.unlisted
        else { return nil }
        let place = (number, code, content.json.count)
        recent.insert(content, place)
        return place
    }

    /// Returns the batch with its rows.
    consuming func closed(key: SampleBatch.Key) -> ClosedBatch {
        ClosedBatch(
            columns: columns.removeAll(key: key), rowSize: size,
            contextSize: kinds.total(\.contextSize))
    }
}

/// The contents of the last rows, with their places in a batch, compared by their objects.
private struct RecentContents {
    private var contents: [RowContent] = []
    private var places: [(identifier: ObjectIdentifier, number: Int32, code: Int32, length: Int)] = []

    private static let most = 8

    @inline(__always)
    func place(of content: RowContent) -> (number: Int, code: Int, length: Int)? {
        let identifier = ObjectIdentifier(content)
        for place in places where place.identifier == identifier {
            return (Int(place.number), Int(place.code), place.length)
        }
        return nil
    }

    mutating func insert(_ content: RowContent, _ place: (number: Int, code: Int, length: Int)) {
        if contents.count == Self.most {
            contents.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        contents.append(content)
        places.append((ObjectIdentifier(content), Int32(place.number), Int32(place.code), place.length))
    }
}

/// The memory that the rows of all open batches may count for, in pieces.
struct MemoryPieces {
    /// The number of pieces.
    let count: Int
    /// The number of free pieces.
    private(set) var free: Int

    /// The size of a piece, in bytes.
    private static let size = 1 << 10

    init(size: Int) {
        count = max(64, size / Self.size)
        free = count
    }

    /// Returns the number of pieces that `size` bytes need.
    static func pieces(for size: Int) -> Int { (size + Self.size - 1) / Self.size }

    /// Takes what a batch of `size` bytes needs for so many more; false if that is more than one piece, or not free.
    @inline(__always)
    mutating func extend(_ size: Int, by more: Int) -> Bool {
        let room = -size & (Self.size - 1)
        if more <= room { return true }
        guard more - room <= Self.size, free > 0 else { return false }
        free -= 1
        return true
    }

    /// Takes pieces, of which enough must be free.
    mutating func take(_ pieces: Int) {
        precondition(pieces <= free, "room was made before")
        free -= pieces
    }

    mutating func release(_ pieces: Int) { free += pieces }
}
