import ByteSpans
import CivilTime
import JSONText
public import SampleBatches

/// Writes each row of a batch as a flat JSON object, with Apple's names for its attributes.
public struct NDJSONWriter: Sendable {
    private var times = TimeWriter()
    private let style: FlatRowStyle
    /// The lines of the last batch, whose memory the next one uses.
    private var lines: [UInt8] = []

    /// The bytes reserved per line for the position, the comma before the content, the brace and the newline.
    private static let lineFrame = 32
    /// The limit in bytes below which memory is reserved up front; longer texts grow as needed.
    private static let mostReserved = 1 << 26

    /// The longest text whose memory is kept.
    private static let longestKept = 1 << 24

    /// Makes a writer.
    public init() { self.init(style: .line) }

    init(style: FlatRowStyle) { self.style = style }

    /// Calls `body` with the rows of a batch, one line each, in memory that the next batch uses again.
    public mutating func withLines<Result>(
        of batch: SampleBatch, _ body: (Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        var text: [UInt8] = []
        swap(&text, &lines)
        defer { if text.capacity <= Self.longestKept { lines = text } }
        text.removeAll(keepingCapacity: true)
        write(batch, to: &text)
        return try body(text.span)
    }

    /// Appends the rows, one line each.
    public mutating func write(_ batch: SampleBatch, to output: inout [UInt8]) {
        guard batch.count > 0 else { return }
        let layout = LineLayout(batch.contexts, element: batch.key.element, style: style)
        let (room, isTooLarge) = batch.count.multipliedReportingOverflow(
            by: layout.longest + Self.lineFrame)
        guard !layout.mayBeOdd.contains(true), !isTooLarge, room < Self.mostReserved,
            batch.textSize < Self.mostReserved
        else {
            writeOneByOne(batch, layout, layout.mayBeOdd, to: &output)
            return
        }
        // Growing the array repeatedly would copy it each time.
        output.append(addingCapacity: room + batch.textSize) { (lines: inout OutputSpan<UInt8>) in
            write(batch, layout, to: &lines)
        }
    }

    /// Appends rows, none of which may be odd, to an output that must have room for them.
    private mutating func write(
        _ batch: SampleBatch, _ layout: LineLayout, to output: inout OutputSpan<UInt8>
    ) {
        let text = layout.text.span
        let opening = text.extracting(layout.opening)
        let (hasPosition, ending) = (style.hasPosition, style.ending)
        // Spans, because a closure that uses an array for each row counts a reference for each.
        let (columns, closings, endingText) = (layout.columns.span, layout.closings.span, ending.span)
        batch.forEachRow { row in
            output.append(copying: opening)
            if hasPosition { output.append(decimal: UInt(row.position)) }
        } value: { row, _, value, bytes in
            let column = columns[row.column]
            output.append(copying: text.extracting(column.before))
            switch value {
            case .instant(let seconds):
                times.appendISO(seconds: seconds, offsetMinutes: column.offsetMinutes, to: &output)
            case .token(let range): output.append(copying: bytes.extracting(column.inside(range)))
            }
        } endRow: { row in
            output.append(copying: text.extracting(closings[row.context]))
            if row.content > 0 {
                output.append(UInt8(ascii: ","))
                // The members of the content become members of the row.
                let content = batch.contents[row.content - 1]
                output.append(copying: content.span.extracting(1..<(content.count - 1)))
            }
            output.append(copying: endingText)
        }
    }

    /// Appends rows as if each of them were odd.
    package mutating func writeOneByOne(_ batch: SampleBatch, to output: inout [UInt8]) {
        let layout = LineLayout(batch.contexts, element: batch.key.element, style: style)
        let allOdd = [Bool](repeating: true, count: batch.contexts.count)
        writeOneByOne(batch, layout, allOdd, to: &output)
    }

    /// Appends rows of any length, assembling odd ones attribute by attribute.
    private mutating func writeOneByOne(
        _ batch: SampleBatch, _ layout: LineLayout, _ isOdd: [Bool], to output: inout [UInt8]
    ) {
        let text = layout.text.span
        var odd = OddRow(element: batch.key.element, style: style)
        batch.forEachRow { row in
            if isOdd[row.context] {
                odd.start(batch.contexts[row.context])
            } else {
                output.append(copying: text.extracting(layout.opening))
                if style.hasPosition { JSONNumber.append(row.position, to: &output) }
            }
        } value: { row, slot, value, bytes in
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
        } endRow: { row in
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
        }
    }
}
