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
        // Where the arrays stand that have a number for each row.
        var position: Range<Int>?
        var context: Range<Int>?
        var content: Range<Int>?
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
            case "position": position = try reader.skipList()
            case "context": context = try reader.skipList()
            case "content": content = try reader.skipList()
            case "columns":
                try reader.object { reader, name in
                    guard columns.updateValue(try reader.skipList(), forKey: ExactName(name)) == nil else {
                        throw reader.failure(.unexpected)
                    }
                }
            default: try reader.skip()
            }
        }

        func batch(_ json: [UInt8]) throws -> SampleBatch {
            guard let count, count >= 0, !key.element.isEmpty, let position, let context, let content else {
                throw FormatError(.inconsistent)
            }
            let text = json.span
            var builder = SampleBatchBuilder(key: key, capacity: json.count / 2)
            var steps = ColumnCursor(position)
            var contextColumn = ColumnCursor(context)
            var contentColumn = ColumnCursor(content)
            var columns = ColumnReaders(columns, contexts)
            var place = 0
            // Numbers of the builder, once they were asked for: those of the text need not be in order.
            var contextNumbers = [Int](repeating: -1, count: contexts.count)
            var contentNumbers = [Int](repeating: -1, count: contents.count)
            for row in 0..<count {
                let step = try steps.integer(text, of: json)
                let context = try contextColumn.integer(text, of: json)
                let content = try contentColumn.integer(text, of: json)
                guard contexts.indices.contains(context), (0...contents.count).contains(content),
                    step >= (row == 0 ? 0 : 1), step < SampleBatch.positionLimit - place
                else { throw FormatError(.inconsistent) }
                place += step
                let (start, length) = try columns.read(context, text, of: json)
                if contextNumbers[context] < 0 {
                    contextNumbers[context] = builder.number(of: contexts[context])
                }
                if content > 0, contentNumbers[content - 1] < 0 {
                    contentNumbers[content - 1] = builder.number(ofContent: contents[content - 1])
                }
                builder.append(
                    context: contextNumbers[context], content: content == 0 ? 0 : contentNumbers[content - 1],
                    position: place, start: start, values: columns.values.span.extracting(0..<length))
            }
            for column in [steps, contextColumn, contentColumn] { try column.finish(json) }
            try columns.finish(json)
            return builder.batch
        }
    }
}
