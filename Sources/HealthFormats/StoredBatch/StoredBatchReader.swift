public import HealthModel
import JSONText

/// Reads a stored batch back.
public enum StoredBatchReader: Sendable {
    /// Reads the JSON text of a stored batch.
    ///
    /// - Throws: `FormatError`.
    public static func read(_ json: [UInt8]) throws(FormatError) -> SampleBatch {
        var parts = Parts()
        do {
            var reader = JSONReader(json)
            try reader.object { reader, key in try parts.read(key, &reader) }
            try reader.finish()
            guard parts.format == StoredBatchWriter.format else { throw FormatError(.unsupportedVersion) }
            return try parts.batch(json)
        } catch let error as FormatError { throw error } catch let error as JSONError {
            throw FormatError(error)
        } catch { throw FormatError(.malformed) }
    }

    /// The members of the object before they are put together.
    private struct Parts {
        var format = ""
        var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
        var count: Int?
        var contexts: [BatchContext] = []
        var contents: [[UInt8]] = []
        var position: [Int] = []
        var context: [Int] = []
        var content: [Int] = []
        /// For each column the place of its array.
        var columns: [ExactName: Range<Int>] = [:]

        /// There are no more contexts and contents than rows, as far as their number is known: each takes memory.
        private var rowLimit: Int { count ?? 1 << 16 }

        mutating func read(_ key: String, _ reader: inout JSONReader) throws {
            switch key {
            case "format": format = try reader.string()
            case "element": self.key.element = try reader.string()
            case "type": self.key.type = try reader.string()
            case "span": self.key.span = try reader.string()
            case "part": self.key.part = try reader.integer()
            case "count": count = try reader.integer()
            case "contexts":
                try reader.array { reader in
                    guard contexts.count < rowLimit else { throw reader.failure(.unexpected) }
                    contexts.append(try BatchContext(&reader))
                }
            case "contents":
                try reader.array { reader in
                    guard try reader.kind() == .object else { throw reader.failure(.unexpected) }
                    let content = [UInt8](reader.bytes[try reader.skip()])
                    // An empty one would not be there at all.
                    guard content.count > 2, contents.count < rowLimit else {
                        throw reader.failure(.unexpected)
                    }
                    contents.append(content)
                }
            case "position": try reader.array { reader in position.append(try reader.integer()) }
            case "context": try reader.array { reader in context.append(try reader.integer()) }
            case "content": try reader.array { reader in content.append(try reader.integer()) }
            case "columns":
                try reader.object { reader, name in
                    guard columns.updateValue(try reader.skip(), forKey: ExactName(name)) == nil else {
                        throw reader.failure(.unexpected)
                    }
                }
            default: try reader.skip()
            }
        }

        func batch(_ json: [UInt8]) throws -> SampleBatch {
            guard let count, count >= 0, !key.element.isEmpty, position.count == count,
                context.count == count,
                content.count == count
            else {
                throw FormatError(.inconsistent)
            }
            var builder = SampleBatchBuilder(key: key)
            var columns = ColumnReaders(json, columns, contexts)
            var values = RowValues()
            var place = 0
            for row in 0..<count {
                guard contexts.indices.contains(context[row]), (0...contents.count).contains(content[row]),
                    position[row] >= (row == 0 ? 0 : 1), position[row] < SampleBatch.positionLimit - place
                else { throw FormatError(.inconsistent) }
                place += position[row]
                values.removeAll()
                let start = try columns.read(contexts[context[row]], number: context[row], into: &values)
                let number = builder.number(of: contexts[context[row]])
                let inside = content[row] == 0 ? 0 : builder.number(ofContent: contents[content[row] - 1])
                builder.append(
                    context: number, content: inside, position: place, start: start, values: values.bytes.span
                )
            }
            try columns.finish()
            return builder.batch
        }
    }
}

/// A reader for each column, all of which move on with the rows.
private struct ColumnReaders {
    private var texts: [TextColumn] = []
    private var numbers: [ExactName: Int] = [:]
    private let places: [[Int]]
    private var anchor = 0

    init(_ json: [UInt8], _ ranges: [ExactName: Range<Int>], _ contexts: [BatchContext]) {
        for (name, range) in ranges {
            numbers[name] = texts.count
            texts.append(TextColumn(json, range))
        }
        let numbers = numbers
        places = contexts.map { context in context.slots.map { numbers[ExactName($0.name)] ?? -1 } }
    }

    /// Reads the values of the next row and gives its start.
    mutating func read(
        _ context: BatchContext, number: Int, into values: inout RowValues
    ) throws -> Timestamp? {
        var start: Timestamp?
        var previous: Int?
        for column in context.columns {
            let place = places[number][column.slot]
            guard place >= 0 else { throw FormatError(.inconsistent) }
            switch context.slots[column.slot] {
            case .time(_, let offsetMinutes):
                let seconds = (previous ?? anchor) &+ (try texts[place].integer())
                guard Timestamp.isWritable(seconds: seconds, offsetMinutes: offsetMinutes) else {
                    throw FormatError(.inconsistent)
                }
                if previous == nil { anchor = seconds }
                previous = seconds
                values.append(instant: seconds)
                if column.slot == context.startSlot {
                    start = Timestamp(seconds: seconds, offsetMinutes: offsetMinutes)
                }
            case let slot:
                let token = try texts[place].token()
                if case .enclosed = slot, token.first != UInt8(ascii: "\"") {
                    throw FormatError(.inconsistent)
                }
                values.append(token: token.span)
                if context.startSlot == nil, column.slot == context.daySlot,
                    let date = CivilDate(Array(token.dropFirst().dropLast()).span)
                {
                    start = Timestamp(seconds: date.daysSince1970 * 86400, offsetMinutes: 0)
                }
            }
        }
        return start
    }

    /// Nothing may be left over.
    mutating func finish() throws {
        for index in texts.indices { try texts[index].finish() }
    }
}

/// The values of one column, read one by one.
private struct TextColumn {
    private var reader: JSONReader
    private var isFirst = true

    init(_ json: [UInt8], _ range: Range<Int>) {
        // Without the brackets of the array.
        let isArray = range.count >= 2 && json[range.lowerBound] == UInt8(ascii: "[")
        reader = JSONReader(json, range: isArray ? (range.lowerBound + 1)..<(range.upperBound - 1) : range)
    }

    private mutating func next() throws {
        if !isFirst { try reader.comma() }
        isFirst = false
    }

    mutating func integer() throws -> Int {
        try next()
        return try reader.integer()
    }

    mutating func token() throws -> [UInt8] {
        try next()
        if try reader.kind() == .number { return [UInt8](reader.bytes[try reader.number()]) }
        // Read and written again: a token is always spelled in the one way that this program spells it.
        let text = try reader.stringBytes()
        var token: [UInt8] = []
        JSONEscaping.append(text.span, to: &token)
        return token
    }

    mutating func finish() throws { try reader.finish() }
}
