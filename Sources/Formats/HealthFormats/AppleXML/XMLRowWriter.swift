import ByteSpans
import CivilTime
import JSONText
package import SampleBatches

/// Writes rows as elements of Apple's XML document, each on its own lines.
package struct XMLRowWriter: Sendable {
    private var times = TimeWriter()

    /// Elements in the order they were written, each with its position in the source.
    package struct Lines: Sendable {
        /// The text of all elements.
        package var text: [UInt8] = []
        /// The position of each element, and its start offset in the text.
        package var starts: [(position: Int, start: Int)] = []

        package init() {}

        /// Returns the text of all elements, sorted by position.
        ///
        /// - Parameter times: The times of the elements, to sort by before their positions; empty for none.
        package func sorted(by times: [Int] = []) -> [UInt8] {
            var output: [UInt8] = []
            output.reserveCapacity(text.count)
            let ends = starts.dropFirst().map(\.start) + [text.count]
            let order = starts.indices.sorted { left, right in
                (times.isEmpty ? 0 : times[left], starts[left].position)
                    < (times.isEmpty ? 0 : times[right], starts[right].position)
            }
            for index in order {
                output.append(copying: text.span.extracting(starts[index].start..<ends[index]))
            }
            return output
        }
    }

    /// Makes a writer.
    package init() {}

    /// Appends the rows of a batch whose positions are in a range.
    ///
    /// - Throws: `FormatError` if a content is not valid batch JSON.
    package mutating func write(
        _ batch: SampleBatch, _ positions: Range<Int>, to lines: inout Lines
    ) throws(FormatError) {
        if batch.key.element == StrayText.element {
            writeTexts(batch, positions, to: &lines)
            return
        }
        let layout = XMLLayout(batch.contexts, element: batch.key.element)
        // Most contents belong to rows at other positions.
        var contents = [[UInt8]](repeating: [], count: batch.contents.count)
        let text = layout.text.span
        try batch.forEachRow { row throws(FormatError) in
            guard positions.contains(row.position) else { return }
            lines.starts.append((row.position, lines.text.count))
            lines.text.append(UInt8(ascii: " "))
        } value: { row, _, value, bytes throws(FormatError) in
            guard positions.contains(row.position) else { return }
            let column = layout.columns[row.column]
            lines.text.append(copying: text.extracting(column.before))
            switch value {
            case .instant(let seconds):
                lines.text.append(addingCapacity: Timestamp.length) { (time: inout OutputSpan<UInt8>) in
                    times.appendApple(seconds: seconds, offsetMinutes: column.offsetMinutes, to: &time)
                }
            case .token(let range): Self.append(bytes, range, column, to: &lines.text)
            }
        } endRow: { row throws(FormatError) in
            guard positions.contains(row.position) else { return }
            lines.text.append(copying: text.extracting(layout.closings[row.context]))
            guard row.content > 0 else {
                lines.text.append(copying: Self.emptyEnd)
                return
            }
            let number = row.content - 1
            if contents[number].isEmpty {
                contents[number] = try Self.content(batch.contents[number], of: batch.key.element)
            }
            lines.text.append(copying: contents[number])
        }
    }

    private static let emptyEnd = Array("/>\n".utf8)

    /// Returns the start tag of the root element, from the batch with its row, or with only a locale if there is none.
    package static func rootTag(_ batch: SampleBatch?, locale: String) -> [UInt8] {
        var tag = Array("<HealthData".utf8)
        if batch == nil, !locale.isEmpty {
            XMLElement.append(ElementNode.Attribute("locale", Array(locale.utf8)), to: &tag)
        }
        var isFirst = true
        batch?.forEachRowTexts { _, attributes in
            guard isFirst else { return }
            isFirst = false
            for attribute in attributes { XMLElement.append(attribute, to: &tag) }
        }
        return tag + Array(">\n".utf8)
    }

    /// Returns the element that contains the time of the export.
    package static func exportDate(_ text: String) -> [UInt8] {
        var element = Array(" <ExportDate".utf8)
        XMLElement.append(ElementNode.Attribute("value", Array(text.utf8)), to: &element)
        return element + emptyEnd
    }

    /// The XML declaration for a document without a prologue.
    package static let declaration = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    /// The end tag of the root element.
    package static let rootEnd = Array("</HealthData>\n".utf8)

    private static func append(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ column: XMLLayout.Column, to output: inout [UInt8]
    ) {
        if column.enclosing == nil {
            var isPlain = true
            let isString = bytes[range.lowerBound] == UInt8(ascii: "\"")
            let inside = isString ? (range.lowerBound + 1)..<(range.upperBound - 1) : range
            for index in inside where isPlain {
                isPlain = XMLEscaping.isPlain(bytes[index]) && bytes[index] != UInt8(ascii: "\\")
            }
            if isPlain {
                output.append(copying: bytes.extracting(inside))
                return
            }
        }
        var token = bytes.array(range)
        if let (before, after) = column.enclosing {
            token =
                [UInt8(ascii: "\"")] + before + token.dropFirst().dropLast() + after + [UInt8(ascii: "\"")]
        }
        let value = JSONEscaping.text(ofToken: token)
        XMLEscaping.append(value: value.span, to: &output)
    }

    /// Returns the text after the attributes of an element with content.
    private static func content(_ json: [UInt8], of element: String) throws(FormatError) -> [UInt8] {
        let children: [ElementNode.Child]
        do throws(JSONError) { children = try ContentReader.children(of: json) } catch {
            throw FormatError(error)
        }
        guard children.allSatisfy(areNamesReadable) else { throw FormatError(.malformed) }
        var text = [UInt8(ascii: ">")]
        XMLElement.append(children, depth: 2, to: &text)
        return text + Array("</\(element)>\n".utf8)
    }

    /// Whether all names in nested content can be read again: what else they contained would become elements.
    private static func areNamesReadable(_ child: ElementNode.Child) -> Bool {
        guard case .element(let element) = child else { return true }
        return MarkupName.isReadable(element.name)
            && element.attributes.allSatisfy { MarkupName.isReadable($0.name) }
            && element.children.allSatisfy(areNamesReadable)
    }

    /// Writes texts between elements.
    private func writeTexts(_ batch: SampleBatch, _ positions: Range<Int>, to lines: inout Lines) {
        batch.forEachRowTexts { row, attributes in
            guard positions.contains(row.position) else { return }
            lines.starts.append((row.position, lines.text.count))
            for attribute in attributes where attribute.name == StrayText.attribute {
                XMLEscaping.append(text: attribute.text.span, to: &lines.text)
            }
        }
    }
}
