import ByteText
public import SampleBatches

/// Reads rows written by `NDJSONWriter` back into a batch.
public enum NDJSONReader: Sendable {
    /// Reads the lines of one file.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - key: The key of the batch; a file does not contain its span and part.
    /// - Throws: `FormatError`.
    public static func read(_ text: [UInt8], key: SampleBatch.Key) throws(FormatError) -> SampleBatch {
        var builder = SampleBatchBuilder(key: key)
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            do {
                let row = try Row(text, start..<end)
                guard row.element.utf8.elementsEqual(key.element.utf8),
                    (0..<SampleBatch.positionLimit).contains(row.position),
                    builder.takes(position: row.position)
                else { throw FormatError(.inconsistent, at: start) }
                guard builder.append(row) else { throw FormatError(.inconsistent, at: start) }
            } catch let error as FormatError { throw error } catch let error as JSONError {
                throw FormatError(error)
            } catch { throw FormatError(.malformed, at: start) }
            start = end + 1
        }
        return builder.batch
    }

    /// One line.
    fileprivate struct Row {
        var element = ""
        var position = 0
        /// The attributes in the list `attributes`, if the line has one.
        var listed: [ElementNode.Attribute]?
        var flat: [ElementNode.Attribute] = []
        /// The members that contain nested elements, without braces.
        var content: [UInt8] = []

        init(_ text: [UInt8], _ range: Range<Int>) throws {
            var reader = JSONReader(text, range: range)
            try reader.object { reader, key in
                switch key {
                case "element": element = try reader.string()
                case "position": position = try reader.integer()
                case "attributes":
                    var found: [ElementNode.Attribute] = []
                    try FlatAttributes.readList(&reader) { attribute in
                        guard found.count < BatchContext.mostSlots else { throw FormatError(.tooLarge) }
                        found.append(attribute)
                    }
                    listed = found
                case "metadata", "children": try appendContent(key, &reader)
                default:
                    if ReservedName.canGroup(element: key) {
                        try appendContent(key, &reader)
                    } else {
                        guard flat.count < BatchContext.mostSlots else { throw FormatError(.tooLarge) }
                        flat.append(ElementNode.Attribute(key, try FlatAttributes.readValue(&reader)))
                    }
                }
            }
            try reader.finish()
        }

        private mutating func appendContent(_ key: String, _ reader: inout JSONReader) throws {
            if !content.isEmpty { content.append(UInt8(ascii: ",")) }
            JSONEscaping.append(key, to: &content)
            content.append(UInt8(ascii: ":"))
            content += reader.bytes[try reader.skip()]
        }
    }
}

extension SampleBatchBuilder {
    /// Appends a line, and returns whether there was room for it.
    fileprivate mutating func append(_ row: NDJSONReader.Row) -> Bool {
        var reader = AttributeReader(element: row.element)
        for attribute in row.listed ?? row.flat {
            guard MarkupName.isReadable(attribute: attribute.name) else { return false }
            // In a flat row a time is in ISO form; a list contains the original text.
            let text =
                row.listed != nil
                ? attribute.text
                : FlatAttributes.text(attribute.text, of: attribute.name, in: row.element)
            reader.add(name: attribute.name, text: text)
        }
        guard hasRoom(for: reader.values.size) else { return false }
        let braces = [UInt8(ascii: "{")] + row.content + [UInt8(ascii: "}")]
        append(
            reader, content: row.content.isEmpty ? 0 : number(ofContent: braces), position: row.position)
        return true
    }
}
