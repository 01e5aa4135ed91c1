import ByteText
import SampleBatches

/// Parses the content of an element into nodes.
///
/// It is used only for content that has not been seen before.
struct ContentParser {
    private(set) var oddities = ScanOddities()
    /// The number of occurrences of each element, by its path below the outermost element.
    private(set) var census: [ExactName: Int] = [:]
    /// The number of occurrences of each attribute that is not declared for its element, by its path.
    private(set) var unknownAttributes: [ExactName: Int] = [:]

    /// The number of attributes, elements and texts so far.
    private var parts = 0
    /// The number of bytes of the paths so far.
    private var pathBytes = 0
    /// The limit on `pathBytes`: each element repeats the names of those around it, which may be long.
    private static let mostPathBytes = 1 << 25

    private struct Open {
        var node: ElementNode
        var text: [UInt8] = []
        let name: Range<Int>
        let path: String
    }

    /// Reads the children in a range of bytes between the start and end tags of their parent.
    mutating func children(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(MarkupIssue) -> [ElementNode
        .Child]
    {
        let bytes = bytes.extracting(0..<range.upperBound)
        var stack = [Open(node: ElementNode(name: ""), name: 0..<0, path: "")]
        var index = range.lowerBound
        var tag = StartTag()
        while index < range.upperBound {
            let open = bytes.firstIndex(of: UInt8(ascii: "<"), from: index)
            stack[stack.count - 1].text += AttributeText.content(bytes, index..<open, &oddities)
            guard open < range.upperBound else { break }
            index = open
            // Counts the text that may precede each piece of markup.
            try count(1, at: index)
            guard index + 1 < range.upperBound else { throw .problem(.startTag, at: index) }
            switch bytes[index + 1] {
            case UInt8(ascii: "/"): index = try close(bytes, at: index, &stack)
            case UInt8(ascii: "!"), UInt8(ascii: "?"): index = try other(bytes, at: index, &stack)
            default:
                try MarkupReader.startTag(bytes, at: index, into: &tag)
                try count(1 + tag.attributes.count, at: index)
                try begin(bytes, tag, at: index, &stack)
                index = tag.end
            }
        }
        guard stack.count == 1 else { throw .problem(.endTagMismatch, at: range.upperBound) }
        flushText(&stack[0])
        return stack[0].node.children
    }

    private mutating func count(_ more: Int, at index: Int) throws(MarkupIssue) {
        parts += more
        guard parts <= MarkupReader.partLimit else { throw .tooMany(at: index) }
    }

    private mutating func countPath(_ length: Int, at index: Int) throws(MarkupIssue) {
        pathBytes += length
        guard pathBytes <= Self.mostPathBytes else { throw .tooMany(at: index) }
    }

    private mutating func begin(
        _ bytes: Span<UInt8>, _ tag: StartTag, at index: Int, _ stack: inout [Open]
    ) throws(MarkupIssue) {
        flushText(&stack[stack.count - 1])
        let name = String(decoding: bytes.array(tag.name), as: UTF8.self)
        var node = ElementNode(name: name)
        let path = stack[stack.count - 1].path + "/" + name
        try countPath(path.utf8.count, at: index)
        for attribute in tag.attributes {
            let key = String(decoding: bytes.array(attribute.name), as: UTF8.self)
            let text = AttributeText.resolve(bytes, attribute.value, &oddities)
            node.attributes.append(ElementNode.Attribute(key, text))
            if DeclaredNames.isUnknown(attribute: key, of: name) {
                try countPath(path.utf8.count + key.utf8.count, at: index)
                unknownAttributes[ExactName(path + "/@" + key), default: 0] += 1
            }
            if AttributeKind(of: key, in: name) == .time, Timestamp(healthApp: text.span) == nil {
                oddities.unreadableDates += 1
            }
        }
        oddities.duplicateAttributes += AttributeNames.duplicates(node.attributes)
        census[ExactName(path), default: 0] += 1
        if tag.isEmpty {
            stack[stack.count - 1].node.children.append(.element(node))
        } else {
            stack.append(Open(node: node, name: tag.name, path: path))
        }
    }

    private mutating func close(
        _ bytes: Span<UInt8>, at index: Int, _ stack: inout [Open]
    ) throws(MarkupIssue) -> Int {
        let end = bytes.firstIndex(of: UInt8(ascii: ">"), from: index)
        guard stack.count > 1, end < bytes.count, let top = stack.last,
            MarkupReader.isName(bytes, (index + 2)..<end, top.name)
        else { throw .problem(.endTagMismatch, at: index) }
        var closed = stack.removeLast()
        flushText(&closed)
        stack[stack.count - 1].node.children.append(.element(closed.node))
        return end + 1
    }

    private mutating func other(
        _ bytes: Span<UInt8>, at index: Int, _ stack: inout [Open]
    ) throws(MarkupIssue) -> Int {
        let end = try MarkupReader.skipOther(bytes, at: index)
        if MarkupReader.isCDATA(bytes, at: index) {
            // The text of a CDATA section is literal.
            stack[stack.count - 1].text += AttributeText.literal(bytes, (index + 9)..<(end - 3))
        } else {
            oddities.addDropped(bytes[index + 1])
        }
        return end
    }

    private func flushText(_ open: inout Open) {
        if !open.text.allSatisfy(MarkupReader.isSpace) { open.node.children.append(.text(open.text)) }
        open.text.removeAll()
    }
}
