public import ByteText

/// The place of a row in its batch.
public struct RowPlace: Sendable, Equatable {
    /// The cell at which it starts.
    public let cell: Int
    /// Its position in the source.
    public let position: Int
    /// When it starts, in seconds since 1970; nil if it has no start.
    public let start: Int?
    /// Whether the start is a day without a time, given by its midnight in UTC.
    public let isDay: Bool
}

extension SampleBatch {
    /// Calls `body` with the place of each row, in the order of the source.
    public func forEachPlace(_ body: (RowPlace) -> Void) {
        let startsOnDay = contexts.map(\.startsOnDay)
        forEachBatchRow { row in
            body(
                RowPlace(
                    cell: row.cell, position: row.head.position, start: row.start?.seconds,
                    isDay: startsOnDay[row.head.context]))
        }
    }

    /// Returns the number of the context of the row that starts at a cell.
    @inlinable
    @inline(__always)
    public func context(at cell: Int) -> Int { cells[cell] }

    /// Returns the content of the row that starts at a cell, a JSON object; nil if it has none.
    public func content(at cell: Int) -> [UInt8]? {
        let number = cells[cell + 1]
        return number == 0 ? nil : contents[number - 1]
    }

    /// Returns the number of the content of the row that starts at a cell, 0 if it has none.
    public func contentNumber(at cell: Int) -> Int { cells[cell + 1] }

    /// Returns an instant of the row that starts at a cell.
    ///
    /// - Parameter count: Which one, from 1; see ``ContextFields/Field/time(count:offsetMinutes:)``.
    @inlinable
    @inline(__always)
    public func seconds(at cell: Int, _ fields: ContextFields, count: Int) -> Int {
        var seconds = 0
        for number in 0..<count { seconds += cells[cell + RowHead.cells + fields.timeCells[number]] }
        return seconds
    }

    /// Returns a token of the row that starts at a cell.
    ///
    /// - Parameter field: The cell after the head; see ``ContextFields/Field/text(cell:)``.
    public func token(at cell: Int, _ field: Int) -> [UInt8] { Array(text[tokenRange(at: cell, field)]) }

    /// Returns the place of a token in ``text``.
    public func tokenRange(at cell: Int, _ field: Int) -> Range<Int> {
        TokenPlace(code: cells[cell + RowHead.cells + field]).range
    }

    /// Returns the time in a token of the row that starts at a cell; nil if it is not one in the form of iOS 8.
    public func time(at cell: Int, _ field: Int) -> Timestamp? {
        Timestamp(compactToken: text.span.extracting(tokenRange(at: cell, field)))
    }

    /// Returns the number in a token of the row that starts at a cell; nil if it is not a number.
    @inlinable
    @inline(__always)
    public func number(at cell: Int, _ field: Int) -> Double? {
        let range = TokenPlace(code: cells[cell + RowHead.cells + field]).range
        return DecimalText.number(ofToken: text.span, range)
    }
}
