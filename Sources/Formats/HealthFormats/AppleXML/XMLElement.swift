import ByteText
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

/// Escapes text for XML.
enum XMLEscaping: Sendable {
    /// Returns whether a byte can be copied unchanged to the value of an attribute.
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
            && byte != UInt8(ascii: "\"")
    }

    /// Appends the value of an attribute, without its quotes.
    ///
    /// White space that a parser would normalize to spaces is written as character references. Bytes that XML does not
    /// allow are written unchanged.
    static func append(value: Span<UInt8>, to output: inout [UInt8]) {
        append(value, to: &output) { byte in
            switch byte {
            case UInt8(ascii: "\""): quotationMark
            case 0x09: tab
            case 0x0a: lineFeed
            default: nil
            }
        }
    }

    private static let ampersand = Array("&amp;".utf8)
    private static let lessThan = Array("&lt;".utf8)
    private static let greaterThan = Array("&gt;".utf8)
    private static let quotationMark = Array("&quot;".utf8)
    private static let tab = Array("&#9;".utf8)
    private static let lineFeed = Array("&#10;".utf8)
    private static let carriageReturn = Array("&#13;".utf8)

    /// Appends text between tags.
    static func append(text: Span<UInt8>, to output: inout [UInt8]) {
        append(text, to: &output) { _ in nil }
    }

    private static func append(
        _ text: Span<UInt8>, to output: inout [UInt8], _ further: (UInt8) -> [UInt8]?
    ) {
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, isPlain(text[index]) { index += 1 }
            output.append(copying: text.extracting(start..<index))
            guard index < text.count else { return }
            let byte = text[index]
            let reference: [UInt8]? =
                switch byte {
                case UInt8(ascii: "&"): ampersand
                case UInt8(ascii: "<"): lessThan
                case UInt8(ascii: ">"): greaterThan
                case 0x0d: carriageReturn
                default: further(byte)
                }
            if let reference { output.append(copying: reference) } else { output.append(byte) }
            index += 1
        }
    }
}
