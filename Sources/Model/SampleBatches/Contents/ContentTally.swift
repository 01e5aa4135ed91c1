package import ByteText

/// Counts the elements in contents of the usual plain form, without creating a string for each name.
///
/// The contents are JSON objects that were validated when read, or written by `ContentWriter`. `ContentCensus` handles
/// all other forms.
struct ContentTally {
    /// An element at its path.
    private struct Node {
        /// The name of the member that contains such elements.
        let member: [UInt8]
        let path: String
        let depth: Int
        var children: [Int] = []
        var count = 0
    }

    private var nodes: [Node]
    /// The elements of the current content, as nodes.
    private var met: [Int] = []

    private static let mostNodes = 256
    private static let deepest = 8

    init(element: String) { nodes = [Node(member: [], path: element, depth: 0)] }

    /// The number of times that each element occurred.
    var counts: [(path: ExactName, count: Int)] {
        nodes.filter { $0.count > 0 }.map { (ExactName($0.path), $0.count) }
    }

    /// Counts the elements of a content that occurs this many times.
    ///
    /// - Returns: false if the content is not of the plain form, in which case nothing is counted.
    mutating func count(_ json: [UInt8], times: Int) -> Bool {
        met.removeAll(keepingCapacity: true)
        var index = 0
        guard object(json.span, &index, 0), index == json.count else { return false }
        for node in met { nodes[node].count += times }
        return true
    }

    /// Moves past an object and counts the elements in it, with no look at other values.
    private mutating func object(_ json: Span<UInt8>, _ index: inout Int, _ node: Int) -> Bool {
        guard accept("{", json, &index) else { return false }
        while index < json.count {
            let byte = json[index]
            if byte == UInt8(ascii: "\"") {
                let end = JSONEscaping.endOfString(json, from: index)
                let member = (index + 1)..<end
                index = end + 1
                guard index + 1 < json.count, json[index] == UInt8(ascii: ":"),
                    json[index + 1] == UInt8(ascii: "[")
                else { continue }
                index += 1
                guard elements(json, &index, member, node) else { return false }
            } else {
                index += 1
                if byte == UInt8(ascii: "}") { return true }
                // Whatever else is nested has another form.
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return false }
            }
        }
        return false
    }

    /// Moves past an array of elements and counts them.
    private mutating func elements(
        _ json: Span<UInt8>, _ index: inout Int, _ member: Range<Int>, _ parent: Int
    ) -> Bool {
        guard let node = node(json, member, parent) else { return false }
        index += 1
        if accept("]", json, &index) { return true }
        repeat {
            met.append(node)
            guard object(json, &index, node) else { return false }
        } while accept(",", json, &index)
        return accept("]", json, &index)
    }

    private mutating func node(_ json: Span<UInt8>, _ member: Range<Int>, _ parent: Int) -> Int? {
        for child in nodes[parent].children
        where nodes[child].member.count == member.count
            && json.matches(at: member.lowerBound, nodes[child].member)
        {
            return child
        }
        let name = json.array(member)
        // A name with escapes is looked up as it reads.
        guard !name.contains(UInt8(ascii: "\\")) else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard nodes.count < Self.mostNodes, nodes[parent].depth < Self.deepest, text != "attributes",
            text != "children"
        else { return nil }
        let path = nodes[parent].path + "/" + (text == "metadata" ? "MetadataEntry" : text)
        nodes.append(Node(member: name, path: path, depth: nodes[parent].depth + 1))
        nodes[parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    @inline(__always)
    private func accept(_ byte: Unicode.Scalar, _ json: Span<UInt8>, _ index: inout Int) -> Bool {
        guard index < json.count, json[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }
}

/// Counts the elements in a content's JSON by path, for comparison with the count from the XML.
package enum ContentCensus: Sendable {
    /// Adds the elements of a content to `counts`, each `times` times.
    ///
    /// - Parameters:
    ///   - json: The content, a JSON object.
    ///   - path: The path of the element that contains it.
    ///   - times: How often the content occurs.
    ///   - counts: Receives the counts.
    package static func add(
        _ json: [UInt8], in path: String, times: Int, to counts: inout [ExactName: Int]
    ) throws(JSONError) {
        var reader = JSONReader(json)
        do { try members(&reader, path, times, &counts, depth: 0) } catch let error as JSONError {
            throw error
        } catch {
            throw reader.failure(.malformed)
        }
    }

    /// The maximum nesting depth, as in the XML scanner.
    private static let depthLimit = 65

    /// Counts the members of a flat object: those that are arrays contain elements.
    private static func members(
        _ reader: inout JSONReader, _ path: String, _ times: Int, _ counts: inout [ExactName: Int], depth: Int
    ) throws {
        guard depth < depthLimit else { throw reader.failure(.tooDeep) }
        try reader.object { reader, key in
            switch key {
            case "attributes": try reader.skip()
            case "children" where try reader.kind() == .array:
                try reader.array { reader in try child(&reader, path, times, &counts, depth: depth) }
            case _ where try reader.kind() == .array:
                let inner = path + "/" + (key == "metadata" ? "MetadataEntry" : key)
                try reader.array { reader in
                    counts[ExactName(inner), default: 0] += times
                    try members(&reader, inner, times, &counts, depth: depth + 1)
                }
            default: try reader.skip()
            }
        }
    }

    /// Counts an object of the list `children`, whose member `element` is its name.
    private static func child(
        _ reader: inout JSONReader, _ path: String, _ times: Int, _ counts: inout [ExactName: Int], depth: Int
    ) throws {
        var probe = reader
        var name: String?
        try probe.object { probe, key in
            if key == "element" { name = try probe.string() } else { try probe.skip() }
        }
        guard let name else {
            try reader.skip()
            return
        }
        counts[ExactName(path + "/" + name), default: 0] += times
        try members(&reader, path + "/" + name, times, &counts, depth: depth + 1)
    }
}
