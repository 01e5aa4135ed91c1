import HealthFormats
import HealthModel
import SampleBatches

/// Makes Arrow's columns of those of a batch.
struct ColumnMaker {
    private let batch: StoredColumns
    private let rows: SelectedRows
    private let isPlain: Bool
    private let contexts: [ContextFields]

    init(_ batch: StoredColumns, _ rows: SelectedRows, isPlain: Bool) {
        self.batch = batch
        self.rows = rows
        self.isPlain = isPlain
        contexts = batch.contexts.map { ContextFields($0) }
    }

    func column(_ column: SampleColumn) -> ArrowColumn {
        switch column {
        case .type:
            shared { _ in
                AnySampleType.identifier(ofElement: batch.key.element, type: batch.key.type)
                    ?? batch.key.element
            }
        case .start: times(AttributeKind.startNames.first { batch.times[$0] != nil } ?? "")
        case .end: times("endDate")
        case .created: times("creationDate")
        case .value: numbers
        case .text: texts
        case .unit: shared { $0.text("unit") }
        case .source: shared(\.sourceName)
        case .version: shared { $0.text("sourceVersion") }
        case .device: shared { $0.device?.name }
        case .position: values(batch.positions) { Int64($0) }
        case .id, .metadata, .attributes, .content: nulls
        }
    }

    /// Returns a column with a number for each row.
    @inline(__always)
    private func values<Value, Number: BitwiseCopyable>(
        _ values: [Value], _ number: (Value) -> Number
    ) -> ArrowColumn {
        let span = values.span
        let buffer = ArrowBuffer(capacity: rows.count) { (output: inout OutputSpan<Number>) in
            if let order = rows.order {
                for row in order { output.append(number(span[row])) }
            } else {
                for row in span.indices { output.append(number(span[row])) }
            }
        }
        return ArrowColumn(length: rows.count, buffers: [nil, buffer])
    }

    private func times(_ name: String) -> ArrowColumn {
        guard let seconds = batch.times[name] else { return nulls }
        return values(seconds) { Int64($0) &* 1_000_000 }
    }

    /// A column of 64 bits without values.
    private var nulls: ArrowColumn { ArrowColumn(optional: [Int64?](repeating: nil, count: rows.count)) }

    private var numbers: ArrowColumn {
        guard let found = batch.values else { return nulls }
        var column = values(found.numbers) { $0 }
        if !found.textNumbers.isEmpty {
            let validity = Validity(ordered(found.textNumbers).map { $0 < 0 })
            column.nullCount = validity.nullCount
            column.buffers[0] = validity.buffer
        }
        return column
    }

    private var texts: ArrowColumn {
        guard let found = batch.values, !found.textNumbers.isEmpty else { return text([], nil) }
        return text(found.texts, ordered(found.textNumbers))
    }

    /// Returns a column of a text that the rows of a context have in common.
    private func shared(_ text: (ContextFields) -> String?) -> ArrowColumn {
        var known: [String: Int32] = [:]
        var texts: [String] = []
        let numbers = contexts.map { context -> Int32 in
            guard let text = text(context) else { return -1 }
            if let number = known[text] { return number }
            known[text] = Int32(texts.count)
            texts.append(text)
            return Int32(texts.count - 1)
        }
        guard numbers.contains(where: { $0 >= 0 }) else { return self.text([], nil) }
        let first = numbers.first ?? 0
        if numbers.allSatisfy({ $0 == first }) {
            return self.text(texts, [Int32](repeating: first, count: rows.count))
        }
        return self.text(texts, ordered(batch.contextNumbers).map { numbers[$0] })
    }

    /// Returns a column of texts.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - numbers: The number of each row's text, -1 for none; nil if no row has any.
    private func text(_ texts: [String], _ numbers: [Int32]?) -> ArrowColumn {
        TextColumn(texts, numbers ?? [Int32](repeating: -1, count: rows.count)).column(isPlain: isPlain)
    }

    private func ordered<Value>(_ values: [Value]) -> [Value] {
        rows.order.map { order in order.map { values[$0] } } ?? values
    }
}
