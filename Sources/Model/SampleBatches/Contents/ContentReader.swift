package import ByteText

/// Reads the elements and texts that ``ContentWriter`` wrote.
package enum ContentReader: Sendable {
    /// The maximum nesting depth, as in the XML scanner.
    private static let depthLimit = 65

    /// Returns the nested content of a sample, in the order written, with times in Apple's form.
    ///
    /// - Parameter json: The content, a JSON object.
    /// - Throws: `JSONError` for anything that `ContentWriter` does not write.
    package static func children(of json: [UInt8]) throws(JSONError) -> [ElementNode.Child] {
        var reader = JSONReader(json)
        do {
            let element = try element(named: "", &reader, depth: 0)
            try reader.finish()
            return element.children
        } catch let error as JSONError { throw error } catch { throw reader.failure(.malformed) }
    }

    /// Reads content that can be a part of a line: it is on one line, not empty, and its members are lists with names that no
    /// attribute of a line can have.
    ///
    /// - Returns: The text of the JSON object.
    /// - Throws: `JSONError` for anything that `ContentWriter` does not write.
    package static func text(_ reader: inout JSONReader) throws -> [UInt8] {
        guard try reader.kind() == .object else { throw reader.failure(.unexpected) }
        let start = reader.offset
        var keys: Set<ExactName> = []
        try reader.object { reader, key in
            let isGroup = key == "metadata" || key == "children" || ReservedName.canGroup(element: key)
            guard isGroup, keys.insert(ExactName(key)).inserted, try reader.kind() == .array else {
                throw reader.failure(.unexpected)
            }
            try reader.skip()
        }
        let text = [UInt8](reader.bytes[start..<reader.offset])
        guard text[1] == UInt8(ascii: "\""), !text.span.hasControls else { throw reader.failure(.unexpected) }
        return text
    }

    /// Reads the object of an element.
    private static func element(
        named name: String, _ reader: inout JSONReader, depth: Int
    ) throws -> ElementNode {
        guard depth < depthLimit else { throw reader.failure(.tooDeep) }
        var element = ElementNode(name: name)
        var exact: [ElementNode.Attribute]?
        try reader.object { reader, key in
            switch (key, try reader.kind()) {
            case ("attributes", .array):
                var listed: [ElementNode.Attribute] = []
                try FlatAttributes.readList(&reader) { listed.append($0) }
                exact = listed
            case ("children", .array):
                try reader.array { reader in
                    element.children.append(try listed(&reader, depth: depth + 1))
                }
            case (_, .array):
                let inner = key == "metadata" ? "MetadataEntry" : key
                try reader.array { reader in
                    element.children.append(
                        .element(try self.element(named: inner, &reader, depth: depth + 1)))
                }
            case ("element", .string) where !name.isEmpty: _ = try reader.skip()
            default:
                let value = try FlatAttributes.readValue(&reader)
                element.attributes.append(
                    ElementNode.Attribute(key, FlatAttributes.text(value, of: key, in: name)))
            }
        }
        if let exact { element.attributes = exact }
        return element
    }

    /// Reads a member of the list `children`: an element with its name, or a text.
    private static func listed(_ reader: inout JSONReader, depth: Int) throws -> ElementNode.Child {
        var probe = reader
        var name: String?
        var text: [UInt8]?
        try probe.object { probe, key in
            switch (key, try probe.kind()) {
            case ("element", .string): name = try probe.string()
            case ("text", .string): text = try probe.stringBytes()
            default: try probe.skip()
            }
        }
        if let name { return .element(try element(named: name, &reader, depth: depth)) }
        guard let text else { throw reader.failure(.unexpected) }
        reader = probe
        return .text(text)
    }
}
