import ByteText
public import SampleBatches

/// Writes each row of a batch as a flat JSON object, with Apple's names for its attributes.
public struct NDJSONWriter: Sendable {
    private var times = TimeWriter()
    private let style: FlatRowStyle
    /// The last piece, whose memory the next one uses.
    private var lines: [UInt8] = []

    /// The bytes reserved per line for the position, the comma before the content, the brace and the newline.
    private static let lineFrame = 32
    /// The limit in bytes below which memory is reserved up front; longer texts grow as needed.
    private static let mostReserved = 1 << 26

    /// The longest piece whose memory is kept.
    private static let longestKept = 1 << 24
    /// The usual length of a piece, in bytes.
    public static let usualPiece = 1 << 17

    /// Makes a writer.
    public init() { self.init(style: .line) }

    init(style: FlatRowStyle) { self.style = style }

    /// Calls `body` with successive pieces of the rows of a batch, one line each, in memory that the next piece uses again.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - size: The length in bytes at which a piece ends, with the line that reaches it. The usual one stays in a processor's
    ///     cache until it has been read several times.
    ///   - body: Receives each piece, which consists of whole lines.
    /// - Throws: What `body` throws.
    public mutating func forEachPiece(
        of batch: SampleBatch, size: Int = usualPiece, _ body: (Span<UInt8>) throws -> Void
    ) throws {
        var piece: [UInt8] = []
        swap(&piece, &lines)
        defer { if piece.capacity <= Self.longestKept { lines = piece } }
        piece.removeAll(keepingCapacity: true)
        try write(batch, to: &piece, pieceSize: size, body)
        if !piece.isEmpty { try body(piece.span) }
    }

    /// Appends the rows, one line each.
    public mutating func write(_ batch: SampleBatch, to output: inout [UInt8]) {
        write(batch, to: &output, pieceSize: .max) { (_: Span<UInt8>) throws(Never) in }
    }

    /// Appends the rows, one line each; what has reached the size of a piece is given to `body` and removed.
    private mutating func write<Failure: Error>(
        _ batch: SampleBatch, to output: inout [UInt8], pieceSize: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard batch.count > 0 else { return }
        let layout = LineLayout(batch.contexts, element: batch.key.element, style: style)
        let line = layout.longest + Self.lineFrame
        let (all, isTooLarge) = batch.count.multipliedReportingOverflow(by: line)
        guard !layout.mayBeOdd.contains(true), !isTooLarge, all < Self.mostReserved,
            batch.textSize < Self.mostReserved
        else {
            try writeOneByOne(batch, layout, layout.mayBeOdd, to: &output) { (output) throws(Failure) in
                guard output.count >= pieceSize else { return }
                try body(output.span)
                output.removeAll(keepingCapacity: true)
            }
            return
        }
        // Growing the array repeatedly would copy it each time. A piece ends after the line that fills it.
        let room = min(all, min(all, pieceSize) + line)
        try output.append(addingCapacity: room + batch.textSize) {
            (lines: inout OutputSpan<UInt8>) throws(Failure) in
            try write(batch, layout, to: &lines) { (lines) throws(Failure) in
                guard lines.count >= pieceSize else { return }
                try body(lines.span)
                lines.removeAll()
            }
        }
    }

    /// Appends rows, none of which may be odd, to an output that must have room for them.
    ///
    /// - Parameter endRow: Called after each row.
    @inline(__always)
    private mutating func write<Failure: Error>(
        _ batch: SampleBatch, _ layout: LineLayout, to output: inout OutputSpan<UInt8>,
        endRow: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let text = layout.text.span
        let opening = text.extracting(layout.opening)
        let (hasPosition, ending) = (style.hasPosition, style.ending)
        // Spans, because a closure that uses an array for each row counts a reference for each.
        let (columns, closings, endingText) = (layout.columns.span, layout.closings.span, ending.span)
        try batch.forEachRow { (row) throws(Failure) in
            output.append(copying: opening)
            if hasPosition { output.append(decimal: UInt(row.position)) }
        } value: { (row, _, value, bytes) throws(Failure) in
            let column = columns[row.column]
            output.append(copying: text.extracting(column.before))
            switch value {
            case .instant(let seconds):
                times.appendISO(seconds: seconds, offsetMinutes: column.offsetMinutes, to: &output)
            case .token(let range): output.append(copying: bytes.extracting(column.inside(range)))
            }
        } endRow: { (row) throws(Failure) in
            output.append(copying: text.extracting(closings[row.context]))
            if row.content > 0 {
                output.append(UInt8(ascii: ","))
                // The members of the content become members of the row.
                let content = batch.contents[row.content - 1]
                output.append(copying: content.span.extracting(1..<(content.count - 1)))
            }
            output.append(copying: endingText)
            try endRow(&output)
        }
    }

    /// Appends rows as if each of them were odd.
    package mutating func writeOneByOne(_ batch: SampleBatch, to output: inout [UInt8]) {
        let layout = LineLayout(batch.contexts, element: batch.key.element, style: style)
        let allOdd = [Bool](repeating: true, count: batch.contexts.count)
        writeOneByOne(batch, layout, allOdd, to: &output) { (_: inout [UInt8]) throws(Never) in }
    }

    /// Appends rows of any length, assembling odd ones attribute by attribute.
    ///
    /// - Parameter endRow: Called after each row.
    private mutating func writeOneByOne<Failure: Error>(
        _ batch: SampleBatch, _ layout: LineLayout, _ isOdd: [Bool], to output: inout [UInt8],
        endRow: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let text = layout.text.span
        var odd = OddRow(element: batch.key.element, style: style)
        try batch.forEachRow { (row) throws(Failure) in
            if isOdd[row.context] {
                odd.start(batch.contexts[row.context])
            } else {
                output.append(copying: text.extracting(layout.opening))
                if style.hasPosition { JSONNumber.append(row.position, to: &output) }
            }
        } value: { (row, slot, value, bytes) throws(Failure) in
            if isOdd[row.context] {
                odd.setValue(value, slot: slot, bytes)
                return
            }
            let column = layout.columns[row.column]
            output.append(copying: text.extracting(column.before))
            switch value {
            case .instant(let seconds):
                output.append(addingCapacity: Timestamp.length) { (time: inout OutputSpan<UInt8>) in
                    times.appendISO(seconds: seconds, offsetMinutes: column.offsetMinutes, to: &time)
                }
            case .token(let range): output.append(copying: bytes.extracting(column.inside(range)))
            }
        } endRow: { (row) throws(Failure) in
            if isOdd[row.context] {
                odd.finish(position: row.position, layout.text[layout.additions[row.context]], to: &output)
            } else {
                output.append(copying: text.extracting(layout.closings[row.context]))
            }
            if row.content > 0 {
                output.append(UInt8(ascii: ","))
                let content = batch.contents[row.content - 1]
                output.append(copying: content.span.extracting(1..<(content.count - 1)))
            }
            output.append(copying: style.ending.span)
            try endRow(&output)
        }
    }
}
