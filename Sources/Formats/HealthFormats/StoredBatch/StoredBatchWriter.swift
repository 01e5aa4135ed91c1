import ByteText
public import SampleBatches

/// Writes a batch as columns: one JSON object whose arrays each contain one attribute of all rows.
public struct StoredBatchWriter: Sendable {
    /// The value of the member `format`.
    static let format = "healthvault batch 1"

    /// The end offsets of the head and then of each column in the text written last.
    public private(set) var columnEnds: [Int] = []
    /// Where the second frame of the text written last begins, with what is left out when columns are read; nil if that is short.
    ///
    /// These are the columns of devices with pointers, which are different in almost every row of most exports, and mean nothing;
    /// positions; and what is nested in rows.
    public private(set) var secondFrame: Int?
    /// What makes an object with everything else out of the text before it.
    package static let endOfFirstFrame: [UInt8] = Array("}}".utf8)

    /// What is not worth a frame of its own has fewer bytes.
    private static let leastSecondFrame = 2_000
    /// The approximate size of everything but the columns, in bytes.
    private static let frameSize = 1 << 12

    /// Makes a writer, which can be reused.
    public init() {}

    /// Returns the batch as JSON text.
    public mutating func write(_ batch: SampleBatch) -> [UInt8] { write(ColumnBatch(batch)) }

    /// Returns the batch as JSON text.
    public mutating func write(_ batch: ColumnBatch) -> [UInt8] {
        columnEnds.removeAll(keepingCapacity: true)
        // In closures: a path of keys is evaluated at run time if it has two parts.
        let shared = batch.contexts.reduce(0) { $0 + $1.json.count + 1 }
        let contents = batch.contents.reduce(0) { $0 + $1.json.count + 1 }
        var writer = JSONWriter(
            capacity: batch.columns.length + 2 * batch.count + shared + contents + Self.frameSize)
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
            columnEnds.append(writer.bytes.count)
            writer.key("context")
            write(ColumnBatch.contextColumn, of: batch, &writer)
            writer.key("columns")
            writer.object { writer in
                let pointers = batch.names.indices.filter {
                    AttributeKind(of: batch.names[$0].text, in: batch.key.element) == .device
                }
                write(batch.names.indices.filter { !pointers.contains($0) }, of: batch, &writer)
                secondFrame = writer.bytes.count
                write(pointers, of: batch, &writer)
            }
            writer.key("position")
            write(ColumnBatch.positionColumn, of: batch, &writer)
            writer.key("content")
            write(ColumnBatch.contentColumn, of: batch, &writer)
            writer.key("contents")
            writer.array { writer in
                for json in batch.contents.map(\.json) { writer.raw(json.span) }
            }
        }
        secondFrame = secondFrame.flatMap {
            writer.bytes.count - $0 >= Self.leastSecondFrame ? $0 : nil
        }
        return writer.bytes
    }

    /// Writes the columns of some attributes as members.
    private mutating func write(
        _ attributes: [Int], of batch: ColumnBatch, _ writer: inout JSONWriter
    ) {
        for index in attributes {
            writer.key(batch.names[index].text)
            write(ColumnBatch.firstColumn + index, of: batch, &writer)
        }
    }

    /// Writes a column as an array.
    private mutating func write(_ number: Int, of batch: ColumnBatch, _ writer: inout JSONWriter) {
        writer.array(ofValues: { batch.append(column: number, to: &$0) })
        columnEnds.append(writer.bytes.count)
    }
}

extension ColumnBatch {
    /// Appends the text of a column as it is stored.
    ///
    /// Contexts are written out, so that a text has two bytes for each of its rows.
    fileprivate func append(column number: Int, to text: inout [UInt8]) {
        if number == Self.contextColumn {
            columns.append(writtenOut: number, to: &text)
        } else {
            columns.append(number, to: &text)
        }
    }

    /// Returns the batch with its rows.
    ///
    /// - Throws: `FormatError`, which a batch made of rows never causes.
    public func samples() throws -> SampleBatch {
        var text: [UInt8] = []
        text.reserveCapacity(columns.length + 2 * columns.count + 2 * count)
        var places: [Range<Int>] = []
        for number in 0..<columns.count {
            let start = text.count
            text.append(UInt8(ascii: "["))
            append(column: number, to: &text)
            text.append(UInt8(ascii: "]"))
            places.append(start..<text.count)
        }
        let arrays = RowAssembly.Places(
            position: places[Self.positionColumn], context: places[Self.contextColumn],
            content: places[Self.contentColumn],
            columns: Dictionary(uniqueKeysWithValues: zip(names, places[Self.firstColumn...])))
        let contents = contents.map(\.json)
        var batch = try RowAssembly(
            text, arrays, count: count, element: key.element, contexts: contexts, contents: contents,
            lines: .max
        ).batch(key, contexts, contents)
        batch.isGone = isGone
        return batch
    }
}
