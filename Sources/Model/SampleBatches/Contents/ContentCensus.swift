package import JSONText

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
            case "children":
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
