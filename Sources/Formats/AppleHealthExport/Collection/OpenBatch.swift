import ByteText
import SampleBatches

/// A batch that still accepts rows.
///
/// Where it ends depends on the sizes that its rows count for: those of their values, a few bytes for each row, and a content
/// unless it is listed.
struct OpenBatch: ~Copyable {
    let place: BatchPlace
    private var columns: BatchColumns
    /// The size of the rows.
    private(set) var size = 0
    /// An upper bound on the size of the rows as NDJSON, in bytes.
    private(set) var lineBytes = 0
    private(set) var firstPosition = 0
    /// The identifiers of the kinds of its rows, in the order of their contexts.
    private var kinds: [UInt128] = []
    /// The numbers of the kinds, if there are more than a few.
    private var kindNumbers: [UInt128: Int] = [:]
    private static let fewKinds = 16
    private var lastKind = 0
    private var contextSize = 0
    /// Whether each content counts once, and not with each row.
    private var isListed: [Bool] = []
    private var listedCount = 0
    /// The number of the last row among all rows of the source.
    private(set) var lastRow = 0

    // What the next rows must have in common with the last one to be appended without looking anything up.

    private var likeKind: UInt128?
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
    var pieces: Int { MemoryPieces.pieces(for: size + columnSize) }

    /// The memory of columns beyond those that nearly all batches have.
    private var columnSize: Int { Self.columnSize(columns.columnCount) }

    /// Returns the number of further pieces that `more` bytes need.
    private func missingPieces(for more: Int) -> Int {
        MemoryPieces.pieces(for: size + columnSize + more) - pieces
    }

    /// The size of context, content and position of a row.
    private static let headSize = 4
    /// The number of columns that a batch has at no cost.
    private static let freeColumns = 64
    /// The memory that a column takes without its text.
    private static let sizeOfColumn = 200

    /// Returns the size of a row if it is appended next.
    mutating func size(of row: IncomingRow) -> Int {
        let size = Self.headSize + row.size
        guard let content = row.content, !isListed(content) else { return size }
        return size + RowValues.size(ofToken: content.json.count)
    }

    /// Returns the number of further pieces that a row of this size needs.
    mutating func missingPieces(for row: IncomingRow, size: Int) -> Int {
        guard number(of: row.kind) == kinds.count else { return missingPieces(for: size) }
        let count = columns.columnCount(adding: row.kind.context)
        return missingPieces(for: size + Self.columnSize(count) - columnSize)
    }

    /// Returns the number of pieces that are enough for a row of this size wherever it goes.
    static func pieces(for row: IncomingRow, size: Int) -> Int {
        // In another batch it may have to bring its content, which is short if it was listed.
        let columns = row.kind.context.columns.count * sizeOfColumn
        return MemoryPieces.pieces(for: size + columns + longestListed) + 1
    }

    private static func columnSize(_ count: Int) -> Int { max(0, count - freeColumns) * sizeOfColumn }

    /// Returns whether a row of this size would exceed a limit.
    func isFull(for row: IncomingRow, size: Int, _ options: BatchOptions) -> Bool {
        self.size + size > options.byteLimit || count >= options.rowLimit
            || lineBytes + row.lineSize > BatchOptions.lineLimit && count != 0
    }

    private mutating func number(of kind: RowKind) -> Int {
        if kinds.indices.contains(lastKind), kinds[lastKind] == kind.identifier { return lastKind }
        let known =
            kinds.count > Self.fewKinds ? kindNumbers[kind.identifier] : kinds.firstIndex(of: kind.identifier)
        lastKind = known ?? kinds.count
        return lastKind
    }

    private mutating func add(_ kind: RowKind) {
        contextSize += kind.context.json.count
        let number = columns.add(kind.context)
        kinds.append(kind.identifier)
        if kinds.count == Self.fewKinds + 1 {
            for (number, kind) in kinds.enumerated() { kindNumbers[kind] = number }
        } else if kinds.count > Self.fewKinds {
            kindNumbers[kind.identifier] = number
        }
    }

    /// The maximum number of listed contents; further ones count with each row.
    private static let mostListed = 32
    /// The maximum length of a listed content, in bytes; longer ones rarely repeat.
    private static let longestListed = 512

    private func isListed(_ content: RowContent) -> Bool {
        if recent.place(of: content) != nil { return true }
        return columns.knownNumber(ofContent: content.key).map { isListed[$0 - 1] } ?? false
    }

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - block: The block with its values.
    ///   - index: Its place in the block.
    ///   - size: The size of the row.
    ///   - number: The number of the row among all rows of the source.
    mutating func append(
        _ row: IncomingRow, _ block: RowBlock, _ index: Int, _ text: Span<UInt8>, size: Int, number: Int,
        _ places: inout ContentPlaces, _ messages: inout IdentityMessages
    ) {
        let kind = self.number(of: row.kind)
        if kind == kinds.count { add(row.kind) }
        let content = row.content.map { self.number(of: $0) } ?? 0
        if count == 0 { firstPosition = row.position }
        places.removeAll()
        // Of the contents of the block only its own is looked at.
        for _ in 0..<block.content(of: index) { places.append(content, length: 0, isListed: true) }
        columns.append(
            index..<(index + 1), of: block, context: kind, contents: places.numbers, position: row.position,
            text, &messages)
        self.size += size
        lineBytes += row.lineSize
        lastRow = number
    }

    private mutating func number(of content: RowContent) -> Int {
        if let place = recent.place(of: content) { return place.number }
        return columns.knownNumber(ofContent: content.key) ?? add(content)
    }

    /// Adds a content that no row has.
    private mutating func add(_ content: RowContent) -> Int {
        let isListed = Self.isListed(content.json.count, after: listedCount)
        self.isListed.append(isListed)
        if isListed { listedCount += 1 }
        return columns.add(content: content.key)
    }

    /// Returns whether a content of this length is listed where so many others are.
    static func isListed(_ length: Int, after count: Int) -> Bool {
        count < mostListed && length <= longestListed
    }

    /// Lets ``appendSimilar(_:_:position:_:from:most:text:number:_:_:_:_:)`` accept rows like one that was appended, as long as
    /// they start within `instants`.
    mutating func acceptSimilar(to row: IncomingRow, instants: Range<Int>, elementSize: Int) {
        if likeKind != row.kind.identifier {
            likeKind = row.kind.identifier
            likeContext = lastKind
            likeLine = (row.kind.context.lineSize + elementSize, row.kind.context.mayBeOdd ? 2 : 1)
        }
        likeInstants = instants
    }

    /// Appends those rows of a block from one on that are of the same kind and span as the last one, if they fit.
    ///
    /// - Parameters:
    ///   - contents: The contents of the block.
    ///   - position: The position of the first row of the block.
    ///   - most: The most rows to append.
    ///   - number: The number of the row before among all rows of the source.
    /// - Returns: How many were appended.
    mutating func appendSimilar(
        _ kind: RowKind, _ contents: [RowContent], position: Int, _ block: RowBlock, from first: Int,
        most: Int,
        text: Span<UInt8>, number: Int, _ memory: inout MemoryPieces, _ options: BatchOptions,
        _ places: inout ContentPlaces, _ messages: inout IdentityMessages
    ) -> Int {
        guard kind.identifier == likeKind else { return 0 }
        lookUp(contents, in: &places)
        var (contentSize, contentLength) = (0, 0)
        let (rows, valuesSize) = block.rows(from: first, most: most, startingIn: likeInstants) { place in
            let use = places.use(place)
            contentSize += use.size
            contentLength += use.length
        }
        guard !rows.isEmpty else { return 0 }
        let size = rows.count * Self.headSize + valuesSize + contentSize
        let line = rows.count * likeLine.size + likeLine.texts * valuesSize + contentLength
        let pieces = missingPieces(for: size)
        guard self.size + size <= options.byteLimit, count + rows.count <= options.rowLimit,
            lineBytes + line <= BatchOptions.lineLimit, pieces <= memory.free
        else { return 0 }
        memory.take(pieces)
        for place in places.new { places.set(add(contents[place - 1]), at: place) }
        columns.append(
            rows, of: block, context: likeContext, contents: places.numbers,
            position: position + rows.lowerBound, text, &messages)
        self.size += size
        lineBytes += line
        lastRow = number + rows.count
        return rows.count
    }

    /// Looks up the contents of a block.
    private mutating func lookUp(_ contents: [RowContent], in places: inout ContentPlaces) {
        places.removeAll(listed: listedCount)
        for (index, content) in contents.enumerated() {
            if let place = recent.place(of: content) {
                places.append(place.number, length: place.length, isListed: true)
            } else if let number = columns.knownNumber(ofContent: content.key) {
                let length = content.json.count
                places.append(number, length: length, isListed: isListed[number - 1])
                if isListed[number - 1] { recent.insert(content, (number, length)) }
            } else if let same = contents[..<index].firstIndex(where: { $0.key == content.key }) {
                // Contents can be spelled in several ways, and those not met for long come with new objects.
                places.append(sameAs: same + 1)
            } else {
                places.append(nil, length: content.json.count, isListed: false)
            }
        }
    }

    /// Returns the batch with its rows.
    consuming func closed(key: SampleBatch.Key) -> ClosedBatch {
        ClosedBatch(columns: columns.removeAll(key: key), rowSize: size, contextSize: contextSize)
    }
}

/// The contents of the last rows, with their places in a batch, compared by their objects.
private struct RecentContents {
    private var contents: [RowContent] = []
    private var places: [(identifier: ObjectIdentifier, number: Int, length: Int)] = []

    private static let most = 8

    @inline(__always)
    func place(of content: RowContent) -> (number: Int, length: Int)? {
        let identifier = ObjectIdentifier(content)
        for place in places where place.identifier == identifier { return (place.number, place.length) }
        return nil
    }

    mutating func insert(_ content: RowContent, _ place: (number: Int, length: Int)) {
        if contents.count == Self.most {
            contents.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
        }
        contents.append(content)
        places.append((ObjectIdentifier(content), place.number, place.length))
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

    /// Takes pieces, of which enough must be free.
    mutating func take(_ pieces: Int) {
        precondition(pieces <= free, "room was made before")
        free -= pieces
    }

    mutating func release(_ pieces: Int) { free += pieces }
}
