import SampleBatches

/// Writes elements as Apple does: each on its own line, indented by its depth.
enum XMLElement: Sendable {
    /// Appends the children of an element, without adding white space if they contain text.
    static func append(_ children: [ElementNode.Child], depth: Int, to output: inout [UInt8]) {
        let isMixed = children.contains { child in
            if case .text = child { true } else { false }
        }
        for child in children {
            switch child {
            case .text(let text): XMLEscaping.append(text: text.span, to: &output)
            case .element(let element):
                if !isMixed { startLine(depth: depth, &output) }
                append(element, depth: depth, to: &output)
            }
        }
        if !isMixed { startLine(depth: depth - 1, &output) }
    }

    private static func append(_ element: ElementNode, depth: Int, to output: inout [UInt8]) {
        output += Array("<\(element.name)".utf8)
        for attribute in element.attributes { append(attribute, to: &output) }
        guard !element.children.isEmpty else {
            output += Array("/>".utf8)
            return
        }
        output.append(UInt8(ascii: ">"))
        append(element.children, depth: depth + 1, to: &output)
        output += Array("</\(element.name)>".utf8)
    }

    /// Appends an attribute, preceded by a space.
    static func append(_ attribute: ElementNode.Attribute, to output: inout [UInt8]) {
        output += Array(" \(attribute.name)=\"".utf8)
        XMLEscaping.append(value: attribute.text.span, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    private static func startLine(depth: Int, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth))
    }
}
