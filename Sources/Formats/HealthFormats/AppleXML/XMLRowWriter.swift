import ByteText
package import SampleBatches

/// Writes rows as elements of Apple's XML document, each on its own lines.
package struct XMLRowWriter: Sendable {
    private var times = TimeWriter()

    /// Makes a writer.
    package init() {}

    /// Appends the rows of a batch whose positions are in a range.
    ///
    /// - Parameter didWrite: Called after each row; may take away what was written.
    /// - Throws: `FormatError` if a content is not valid batch JSON; any error that `didWrite` throws.
    package mutating func write(
        _ batch: SampleBatch, _ positions: Range<Int>, to lines: inout Lines,
        didWrite: (inout Lines) throws -> Void = { _ in }
    ) throws {
        if batch.key.element == StrayText.element {
            try writeTexts(batch, positions, to: &lines, didWrite)
            return
        }
        let layout = XMLLayout(batch.contexts, element: batch.key.element)
        var contents = WrittenContents()
        let (text, columns, closings) = (layout.text.span, layout.columns.span, layout.closings.span)
        try batch.forEachRow { row in
            guard positions.contains(row.position) else { return }
            lines.starts.append((row.position, lines.text.count))
            lines.text.append(UInt8(ascii: " "))
        } value: { row, _, value, bytes in
            guard positions.contains(row.position) else { return }
            lines.text.append(copying: text.extracting(columns[row.column].before))
            switch value {
            case .instant(let seconds):
                lines.text.append(addingCapacity: Timestamp.length) { (time: inout OutputSpan<UInt8>) in
                    times.appendApple(
                        seconds: seconds, offsetMinutes: columns[row.column].offsetMinutes, to: &time)
                }
            case .token(let range):
                Self.append(bytes, range, columns[row.column].enclosing, text, to: &lines.text)
            }
        } endRow: { row in
            guard positions.contains(row.position) else { return }
            lines.text.append(copying: text.extracting(closings[row.context]))
            if row.content > 0 {
                try contents.append(row.content - 1, of: batch, to: &lines.text)
            } else {
                lines.text.append(copying: Self.emptyEnd)
            }
            try didWrite(&lines)
        }
    }

    /// Contents as XML, which many rows may share.
    private struct WrittenContents {
        private var texts: [Int: [UInt8]] = [:]
        private var size = 0
        /// The size from which they start over: that of contents that rows do not share has no bound.
        private static let limit = 1 << 20

        mutating func append(
            _ number: Int, of batch: SampleBatch, to output: inout [UInt8]
        ) throws(FormatError) {
            if let text = texts[number] {
                output.append(copying: text)
                return
            }
            let text = try XMLRowWriter.content(batch.contents[number], of: batch.key.element)
            output.append(copying: text)
            if size > Self.limit { (texts, size) = ([:], 0) }
            texts[number] = text
            size += text.count
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
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ enclosing: XMLLayout.Enclosing?, _ text: Span<UInt8>,
        to output: inout [UInt8]
    ) {
        let isString = bytes[range.lowerBound] == UInt8(ascii: "\"")
        let inside = isString ? (range.lowerBound + 1)..<(range.upperBound - 1) : range
        let isPlain = inside.allSatisfy { index in
            XMLEscaping.isPlain(bytes[index]) && bytes[index] != UInt8(ascii: "\\")
        }
        switch enclosing {
        case nil where isPlain: output.append(copying: bytes.extracting(inside))
        case nil:
            let value = JSONEscaping.text(ofToken: bytes.array(range))
            XMLEscaping.append(value: value.span, to: &output)
        case let enclosing?:
            if isPlain, let escaped = enclosing.escaped {
                output.append(copying: text.extracting(escaped.before))
                output.append(copying: bytes.extracting(inside))
                output.append(copying: text.extracting(escaped.after))
                return
            }
            let quote = [UInt8(ascii: "\"")]
            let value = JSONEscaping.text(
                ofToken: quote + enclosing.before + bytes.array(inside) + enclosing.after + quote)
            XMLEscaping.append(value: value.span, to: &output)
        }
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
    private func writeTexts(
        _ batch: SampleBatch, _ positions: Range<Int>, to lines: inout Lines,
        _ didWrite: (inout Lines) throws -> Void
    ) throws {
        try batch.forEachRowTexts { row, attributes in
            guard positions.contains(row.position) else { return }
            lines.starts.append((row.position, lines.text.count))
            for attribute in attributes where attribute.name == StrayText.attribute {
                XMLEscaping.append(text: attribute.text.span, to: &lines.text)
            }
            try didWrite(&lines)
        }
    }
}
