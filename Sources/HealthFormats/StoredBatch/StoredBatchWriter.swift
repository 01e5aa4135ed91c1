public import HealthModel
import JSONText

/// Writes a batch as columns: one JSON object whose arrays hold one attribute of all rows each.
public struct StoredBatchWriter: Sendable {
    /// What the member `format` says.
    static let format = "healthvault batch 1"

    private var position: [UInt8] = []
    private var context: [UInt8] = []
    private var content: [UInt8] = []
    private var columns: [Column] = []

    private struct Column: Sendable {
        let name: String
        var values: [UInt8] = []
    }

    /// Makes a writer that is used again and again.
    public init() {}

    /// The batch as JSON text.
    public mutating func write(_ batch: SampleBatch) -> [UInt8] {
        let places = arrangeColumns(batch.contexts)
        fill(batch, places)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("element", batch.key.element)
            writer.member("type", batch.key.type)
            writer.member("span", batch.key.span)
            writer.member("part", batch.key.part)
            writer.member("count", batch.count)
            writer.key("contexts")
            writer.array { writer in
                for json in batch.contexts.map(\.json) { writer.raw(json.span) }
            }
            writer.key("contents")
            writer.array { writer in
                for content in batch.contents { writer.raw(content.span) }
            }
            for (name, values) in [("position", position), ("context", context), ("content", content)] {
                writer.key(name)
                Self.write(values, &writer)
            }
            writer.key("columns")
            writer.object { writer in
                for column in columns {
                    writer.key(column.name)
                    Self.write(column.values, &writer)
                }
            }
        }
        return writer.bytes
    }

    /// Values each with a comma behind it, as an array.
    private static func write(_ values: [UInt8], _ writer: inout JSONWriter) {
        writer.array { writer in
            if !values.isEmpty { writer.raw(values.span.extracting(0..<(values.count - 1))) }
        }
    }

    /// For each context and slot the number of its column; attributes of one name share a column.
    private mutating func arrangeColumns(_ contexts: [BatchContext]) -> [[Int]] {
        columns.removeAll(keepingCapacity: true)
        position.removeAll(keepingCapacity: true)
        context.removeAll(keepingCapacity: true)
        content.removeAll(keepingCapacity: true)
        var numbers: [ExactName: Int] = [:]
        return contexts.map { context in
            var places = [Int](repeating: 0, count: context.slots.count)
            for column in context.columns {
                let name = ExactName(context.slots[column.slot].name)
                if numbers[name] == nil {
                    numbers[name] = columns.count
                    columns.append(Column(name: name.text))
                }
                places[column.slot] = numbers[name] ?? 0
            }
            return places
        }
    }

    private mutating func fill(_ batch: SampleBatch, _ places: [[Int]]) {
        let comma = UInt8(ascii: ",")
        batch.forEachRow { row in
            JSONNumber.append(row.positionStep, to: &position)
            position.append(comma)
            JSONNumber.append(row.context, to: &context)
            context.append(comma)
            JSONNumber.append(row.content, to: &content)
            content.append(comma)
        } value: { row, slot, value, bytes in
            let column = places[row.context][slot]
            switch value {
            case .instant(_, let step):
                JSONNumber.append(step, to: &columns[column].values)
            case .token(let range):
                columns[column].values.append(addingCapacity: range.count) {
                    (output: inout OutputSpan<UInt8>) in
                    for index in range { output.append(bytes[index]) }
                }
            }
            columns[column].values.append(comma)
        } endRow: { _ in
        }
    }
}
