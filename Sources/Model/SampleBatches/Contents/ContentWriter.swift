import ByteText

/// Writes the nested content of a sample as members of a flat JSON object: an array for each run of elements with the
/// same name, `metadata` for metadata entries.
///
/// If that would lose their order, or if there is text between them, everything goes into one array, `children`.
public struct ContentWriter: Sendable {
    private var output: [UInt8] = []
    /// Number of bytes that were not well-formed UTF-8.
    public private(set) var malformedBytes = 0

    private init() {}

    /// Returns the content of an element as a JSON object, nil if it is empty.
    public static func json(of children: [ElementNode.Child]) -> (json: [UInt8], malformedBytes: Int)? {
        guard !children.isEmpty else { return nil }
        var writer = ContentWriter()
        writer.output.append(UInt8(ascii: "{"))
        writer.members(children, isFirst: true)
        writer.output.append(UInt8(ascii: "}"))
        return (writer.output, writer.malformedBytes)
    }

    private mutating func members(_ children: [ElementNode.Child], isFirst: Bool) {
        guard !children.isEmpty else { return }
        if !isFirst { output.append(UInt8(ascii: ",")) }
        guard let runs = Self.runs(children) else {
            key("children")
            array(children) { writer, child in writer.listed(child) }
            return
        }
        for (number, run) in runs.enumerated() {
            if number > 0 { output.append(UInt8(ascii: ",")) }
            key(run.name == "MetadataEntry" ? "metadata" : run.name)
            array(run.elements) { writer, element in writer.object(element, named: false) }
        }
    }

    /// Returns the children as runs of equal names, nil if a name would occur twice or a child is not an element.
    private static func runs(
        _ children: [ElementNode.Child]
    ) -> [(name: String, elements: [ElementNode])]? {
        var runs: [(name: String, elements: [ElementNode])] = []
        var names: Set<ExactName> = []
        for child in children {
            guard case .element(let element) = child, ReservedName.canGroup(element: element.name) else {
                return nil
            }
            if let last = runs.last, last.name.utf8.elementsEqual(element.name.utf8) {
                runs[runs.count - 1].elements.append(element)
            } else {
                guard names.insert(ExactName(element.name)).inserted else { return nil }
                runs.append((element.name, [element]))
            }
        }
        return runs
    }

    private mutating func listed(_ child: ElementNode.Child) {
        switch child {
        case .element(let element): object(element, named: true)
        case .text(let text):
            output.append(UInt8(ascii: "{"))
            key("text")
            string(text)
            output.append(UInt8(ascii: "}"))
        }
    }

    private mutating func object(_ element: ElementNode, named: Bool) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        func next(_ writer: inout ContentWriter, _ name: String) {
            if !isFirst { writer.output.append(UInt8(ascii: ",")) }
            isFirst = false
            writer.key(name)
        }
        if named {
            next(&self, "element")
            string(Array(element.name.utf8))
        }
        let isOdd = FlatAttributes.isOdd(element.attributes, in: element.name)
        if isOdd {
            next(&self, "attributes")
            array(element.attributes) { writer, attribute in
                writer.output.append(UInt8(ascii: "["))
                writer.string(Array(attribute.name.utf8))
                writer.output.append(UInt8(ascii: ","))
                writer.string(attribute.text)
                writer.output.append(UInt8(ascii: "]"))
            }
        }
        for attribute in isOdd ? FlatAttributes.flat(element.attributes) : element.attributes {
            next(&self, attribute.name)
            malformedBytes += FlatAttributes.append(attribute, in: element.name, to: &output)
        }
        members(element.children, isFirst: isFirst)
        output.append(UInt8(ascii: "}"))
    }

    private mutating func array<Element>(
        _ elements: [Element], _ body: (inout ContentWriter, Element) -> Void
    ) {
        output.append(UInt8(ascii: "["))
        for (number, element) in elements.enumerated() {
            if number > 0 { output.append(UInt8(ascii: ",")) }
            body(&self, element)
        }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func key(_ name: String) {
        string(Array(name.utf8))
        output.append(UInt8(ascii: ":"))
    }

    private mutating func string(_ text: [UInt8]) {
        malformedBytes += JSONEscaping.append(text.span, to: &output)
    }
}
