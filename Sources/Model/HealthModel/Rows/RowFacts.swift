package import ByteText
import SampleBatches

/// What a line of text shows of a row, looked up once.
///
/// Each property of ``SampleRow`` looks for the row's place and context anew, which costs more than reading the value.
package struct RowFacts {
    private let row: SampleRow
    private let part: SampleStorage.Part
    private let cell: Int
    /// What the row has in common with other rows of its batch.
    package let context: SampleContext
    /// When it starts.
    package let start: Timestamp?
    /// When it ends.
    package let end: Timestamp?

    init(_ row: SampleRow) {
        self.row = row
        let place = row.place
        part = row.storage.parts[place.part]
        cell = place.cell
        context = part.contexts[part.batch.context(at: cell)]
        start = part.time(context.start, context, at: cell)
        end = part.time(context.end, context, at: cell)
    }

    /// The number of the row's content in its batch; 0 if it has none.
    package var contentNumber: Int { part.batch.contentNumber(at: cell) }

    /// Whether rows have the same batch, so that their contents have the same numbers.
    package func hasBatch(of other: RowFacts) -> Bool { part === other.part }

    /// Appends the attribute `value` as written.
    ///
    /// - Returns: false, with nothing appended, if it is not a plain number.
    package func appendNumber(to line: inout [UInt8]) -> Bool {
        guard case .text(let column)? = context.value else { return false }
        let token = part.batch.tokenRange(at: cell, column)
        let text = part.batch.text
        // A token without quotes is a number.
        guard !token.isEmpty, text[token.lowerBound] != UInt8(ascii: "\"") else { return false }
        line.append(copying: text.span.extracting(token))
        return true
    }
}

extension SampleRow {
    /// What a line of text shows of the row.
    package var facts: RowFacts { RowFacts(self) }
}
