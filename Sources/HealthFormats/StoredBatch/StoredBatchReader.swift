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
            var builder = SampleBatchBuilder(key: key, capacity: json.count / 2)
            var columns = ColumnReaders(json, columns, contexts)
            var values = RowValues()
            var place = 0
            // Numbers of the builder, once they were asked for: those of the text need not be in order.
            var contextNumbers = [Int](repeating: -1, count: contexts.count)
            var contentNumbers = [Int](repeating: -1, count: contents.count)
            for row in 0..<count {
                let (context, content) = (context[row], content[row])
                guard contexts.indices.contains(context), (0...contents.count).contains(content),
                    position[row] >= (row == 0 ? 0 : 1), position[row] < SampleBatch.positionLimit - place
                else { throw FormatError(.inconsistent) }
                place += position[row]
                values.removeAll()
                let start = try columns.read(context, into: &values)
                if contextNumbers[context] < 0 {
                    contextNumbers[context] = builder.number(of: contexts[context])
                }
                if content > 0, contentNumbers[content - 1] < 0 {
                    contentNumbers[content - 1] = builder.number(ofContent: contents[content - 1])
                }
                builder.append(
                    context: contextNumbers[context], content: content == 0 ? 0 : contentNumbers[content - 1],
                    position: place, start: start, values: values.bytes.span)
            }
            try columns.finish()
            return builder.batch
        }
    }
}

/// A reader for each column, all of which move on with the rows.
private struct ColumnReaders {
    private var texts: [TextColumn] = []
    /// How the values of all contexts are read, one context behind the other.
    private var steps: [Step] = []
    /// For each context where its steps start, and behind the last one where they end.
    private var ends = [0]
    private var anchor = 0

    /// How a value is read.
    private struct Step {
        enum Kind {
            case time(offsetMinutes: Int, isStart: Bool)
            case text(isEnclosed: Bool, isDay: Bool)
        }

        /// The number of the column, -1 where there is none.
        let place: Int
        let kind: Kind
    }

    init(_ json: [UInt8], _ ranges: [ExactName: Range<Int>], _ contexts: [BatchContext]) {
        var numbers: [ExactName: Int] = [:]
        for (name, range) in ranges {
            numbers[name] = texts.count
            texts.append(TextColumn(json, range))
        }
        for context in contexts {
            for column in context.columns {
                let slot = context.slots[column.slot]
                let kind: Step.Kind
                switch slot {
                case .time(_, let offsetMinutes):
                    kind = .time(offsetMinutes: offsetMinutes, isStart: column.slot == context.startSlot)
                case .enclosed: kind = .text(isEnclosed: true, isDay: false)
                case .text, .constant:
                    kind = .text(
                        isEnclosed: false, isDay: context.startSlot == nil && column.slot == context.daySlot)
                }
                steps.append(Step(place: numbers[ExactName(slot.name)] ?? -1, kind: kind))
            }
            ends.append(steps.count)
        }
    }

    /// Reads the values of the next row and gives its start.
    mutating func read(_ context: Int, into values: inout RowValues) throws -> Timestamp? {
        var start: Timestamp?
        var previous: Int?
        for number in ends[context]..<ends[context + 1] {
            let step = steps[number]
            guard step.place >= 0 else { throw FormatError(.inconsistent) }
            switch step.kind {
            case .time(let offsetMinutes, let isStart):
                let seconds = (previous ?? anchor) &+ (try texts[step.place].integer())
                guard Timestamp.isWritable(seconds: seconds, offsetMinutes: offsetMinutes) else {
                    throw FormatError(.inconsistent)
                }
                if previous == nil { anchor = seconds }
                previous = seconds
                values.append(instant: seconds)
                if isStart { start = Timestamp(seconds: seconds, offsetMinutes: offsetMinutes) }
            case .text(let isEnclosed, let isDay):
                let length = values.bytes.count
                let isString = try texts[step.place].token(into: &values)
                if isEnclosed, !isString { throw FormatError(.inconsistent) }
                if isDay, let date = Self.day(values.bytes.span, from: length) {
                    start = Timestamp(seconds: date.daysSince1970 * 86400, offsetMinutes: 0)
                }
            }
        }
        return start
    }

    /// The day in a packed token.
    private static func day(_ values: Span<UInt8>, from start: Int) -> CivilDate? {
        var offset = start
        let length = Varint.read(values, at: &offset)
        return length > 2 ? CivilDate(values.extracting((offset + 1)..<(offset + length - 1))) : nil
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

    /// Appends the next token to the values of a row.
    ///
    /// - Returns: It is a string.
    mutating func token(into values: inout RowValues) throws -> Bool {
        try next()
        if try reader.kind() == .number {
            Self.append(reader.bytes, try reader.number(), to: &values)
            return false
        }
        let (body, isPlain) = try reader.stringBody()
        if isPlain {
            Self.append(reader.bytes, (body.lowerBound - 1)..<(body.upperBound + 1), to: &values)
        } else {
            // Read and written again: a token is always spelled in the one way that this program spells it.
            let text = try reader.unescaped(body)
            var token: [UInt8] = []
            JSONEscaping.append(text.span, to: &token)
            values.append(token: token.span)
        }
        return true
    }

    private static func append(_ bytes: [UInt8], _ range: Range<Int>, to values: inout RowValues) {
        values.append(token: bytes.span.extracting(range))
    }

    mutating func finish() throws { try reader.finish() }
}
