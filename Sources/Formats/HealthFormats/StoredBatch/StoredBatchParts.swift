import ByteText
import SampleBatches

/// The members of the object, before the batch is assembled from them.
struct StoredBatchParts {
    /// The largest allowed size of the rows as NDJSON, in bytes.
    let lines: Int
    /// Whether the contents of elements are not needed.
    let skipsContents: Bool
    var format = ""
    var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
    var isGone = false
    var count: Int?
    var contexts: [BatchContext] = []
    /// The minimum size of the lines of all contexts, as each context has at least one row.
    private var contextLines = LengthSum()
    var contents: [[UInt8]] = []
    // The places of the arrays that contain a number for each row.
    var position: Range<Int>?
    var context: Range<Int>?
    var content: Range<Int>?
    /// For each column, the place of its array.
    var columns: [ExactName: Range<Int>] = [:]

    /// The names of the members so far.
    ///
    /// A member that is there twice is refused: lists are checked when they are read, and one of them would not be.
    private var met: Set<ExactName> = []

    /// The limit on columns, each of which takes memory; all contexts of a written batch together have fewer names.
    private static let mostColumns = 1 << 18

    /// The limit on contexts and contents, each of which takes memory: the number of rows, once it is known.
    private var rowLimit: Int { count ?? 1 << 16 }

    init(lines: Int, skipsContents: Bool) {
        self.lines = lines
        self.skipsContents = skipsContents
    }

    mutating func read(
        _ key: String, _ reader: inout JSONReader, _ known: inout ContextCache
    ) throws {
        guard met.insert(ExactName(key)).inserted else { throw reader.failure(.unexpected) }
        switch key {
        case "format": format = try reader.string()
        case "element": self.key.element = try reader.string()
        case "type": self.key.type = try reader.string()
        case "span": self.key.span = try reader.string()
        case "part": self.key.part = try reader.integer()
        case "count":
            count = try reader.integer()
            guard count ?? 0 <= lines / RowAssembly.shortestLine else { throw FormatError(.tooLarge) }
        case "gone": isGone = try reader.bool()
        case "contexts":
            try reader.array { reader in
                guard contexts.count < rowLimit else { throw reader.failure(.unexpected) }
                contexts.append(try known.context(&reader))
                contextLines.add(contexts[contexts.count - 1].lineSize)
                guard contextLines.value <= lines else { throw FormatError(.tooLarge) }
            }
        case "contents" where skipsContents: try reader.skipNested()
        case "contents":
            try reader.array { reader in
                let content = try ContentReader.text(&reader)
                guard contents.count < rowLimit else { throw reader.failure(.unexpected) }
                contents.append(content)
            }
        case "position": position = try reader.skipList()
        case "context": context = try reader.skipList()
        case "content": content = try reader.skipList()
        case "columns":
            try reader.object { reader, name in
                guard columns.count < Self.mostColumns else { throw FormatError(.tooLarge) }
                guard columns.updateValue(try reader.skipList(), forKey: ExactName(name)) == nil else {
                    throw reader.failure(.unexpected)
                }
            }
        default: try reader.skip()
        }
    }

    func batch(_ json: [UInt8]) throws -> SampleBatch {
        var batch = try rows(json).batch(key, contexts, contents)
        batch.isGone = isGone
        return batch
    }

    /// - Parameter memory: An array whose memory is used for the values.
    func identity(_ json: [UInt8], using memory: inout [Int]) throws -> StoredIdentity {
        var own: [Int] = []
        swap(&own, &memory)
        let rows = try rows(json, using: own)
        let sum = try rows.identity(element: key.element, contexts, contents)
        memory = rows.values.numbers
        return StoredIdentity(key: key, isGone: isGone, sum: sum)
    }

    private func rows(_ json: [UInt8], using memory: consuming [Int] = []) throws -> RowAssembly {
        guard let count, count >= 0, MarkupName.isReadable(key.element), let position, let context,
            let content
        else {
            throw FormatError(.inconsistent)
        }
        return try RowAssembly(
            json,
            RowAssembly.Places(position: position, context: context, content: content, columns: columns),
            count: count, element: key.element, contexts: contexts, contents: contents, lines: lines,
            using: memory)
    }
}

/// Caches contexts by their text, because batches of a type share most of them.
struct ContextCache: Sendable {
    private var contexts: [HashedBytes: BatchContext] = [:]
    private var size = 0
    /// Those that were read last: the next batch mostly has the same.
    private var recent: [(text: [UInt8], context: BatchContext)] = []
    private var parser = ContextReader()

    /// The largest total size of the cached texts, in bytes.
    private static let limit = 1 << 16
    /// The number of contexts that are compared before one is looked up.
    private static let mostRecent = 8

    /// Reads the next context.
    mutating func context(_ reader: inout JSONReader) throws -> BatchContext {
        if let same = recent.first(where: { reader.skip($0.text) }) { return same.context }
        var ahead = reader
        let text = HashedBytes([UInt8](reader.bytes[try ahead.skipNested()]))
        let context: BatchContext
        if let known = contexts[text] {
            reader = ahead
            context = known
        } else {
            context = try parser.context(&reader)
            guard text.bytes.count <= Self.limit else { return context }
            if size + text.bytes.count > Self.limit {
                contexts.removeAll(keepingCapacity: true)
                recent.removeAll(keepingCapacity: true)
                size = 0
            }
            contexts[text] = context
            size += text.bytes.count
        }
        if recent.count == Self.mostRecent { recent.removeFirst() }
        recent.append((text.bytes, context))
        return context
    }
}
