import ByteSpans
import JSONText
public import SampleBatches

/// Writes a batch as columns: one JSON object whose arrays each contain one attribute of all rows.
public struct StoredBatchWriter: ~Copyable, Sendable {
    /// The value of the member `format`.
    static let format = "healthvault batch 1"

    /// The values, each followed by a comma: first those of position, context and content, then a column for each name.
    private var values = ByteColumns()

    /// The end offsets of the head and then of each column in the text written last.
    public private(set) var columnEnds: [Int] = []

    /// The approximate size of everything but the columns, in bytes.
    private static let frameSize = 1 << 12

    private static let positionColumn = 0
    private static let contextColumn = 1
    private static let contentColumn = 2
    private static let firstColumn = 3

    /// Makes a writer, which can be reused.
    public init() {}

    /// Returns the batch as JSON text.
    public mutating func write(_ batch: SampleBatch) -> [UInt8] {
        let columns = ColumnPlaces(batch.contexts, first: Self.firstColumn)
        columnEnds.removeAll(keepingCapacity: true)
        values.removeAll(count: Self.firstColumn + columns.names.count)
        fill(batch, columns)
        let shared = batch.contexts.map(\.json.count) + batch.contents.map(\.count)
        var writer = JSONWriter(capacity: values.byteCount + shared.reduce(0, +) + Self.frameSize)
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("element", batch.key.element)
            writer.member("type", batch.key.type)
            writer.member("span", batch.key.span)
            writer.member("part", batch.key.part)
            writer.member("count", batch.count)
            if batch.isGone { writer.member("gone", true) }
            writer.key("contexts")
            writer.array { writer in
                for json in batch.contexts.map(\.json) { writer.raw(json.span) }
            }
            writer.key("contents")
            writer.array { writer in
                for content in batch.contents { writer.raw(content.span) }
            }
            columnEnds.append(writer.bytes.count)
            let numbered = [
                (Self.positionColumn, "position"), (Self.contextColumn, "context"),
                (Self.contentColumn, "content"),
            ]
            for (number, name) in numbered {
                writer.key(name)
                write(number, &writer)
            }
            writer.key("columns")
            writer.object { writer in
                for (number, name) in columns.names.enumerated() {
                    writer.key(name.text)
                    write(Self.firstColumn + number, &writer)
                }
            }
        }
        return writer.bytes
    }

    /// Writes a column as an array.
    private mutating func write(_ number: Int, _ writer: inout JSONWriter) {
        writer.array { writer in
            values.withBytes(of: number) { bytes in
                // Omits the comma after the last value.
                if !bytes.isEmpty { writer.raw(bytes.extracting(0..<(bytes.count - 1))) }
            }
        }
        columnEnds.append(writer.bytes.count)
    }

    private mutating func fill(_ batch: SampleBatch, _ columns: ColumnPlaces) {
        let comma = UInt8(ascii: ",")
        let numbers = columns.numbers.span
        batch.forEachRow { row in
            values.append(row.positionStep, comma, to: Self.positionColumn)
            values.append(row.context, comma, to: Self.contextColumn)
            values.append(row.content, comma, to: Self.contentColumn)
        } value: { row, _, value, bytes in
            let column = numbers[row.column]
            switch value {
            case .instant(_, let step): values.append(step, comma, to: column)
            case .token(let range): values.append(bytes, range, comma, to: column)
            }
        } endRow: { _ in
        }
    }
}

/// The assignment of values to columns: attributes of the same name share a column.
private struct ColumnPlaces {
    /// The names of the columns in the order of their first use.
    private(set) var names: [ExactName] = []
    /// The column numbers of the columns of all contexts, one context after another.
    private(set) var numbers: [Int] = []

    init(_ contexts: [BatchContext], first: Int) {
        var known: [ExactName: Int] = [:]
        for context in contexts {
            for column in context.columns {
                let name = ExactName(context.slots[column.slot].name)
                let number = known[name] ?? names.count
                if number == names.count {
                    known[name] = number
                    names.append(name)
                }
                numbers.append(first + number)
            }
        }
    }
}
