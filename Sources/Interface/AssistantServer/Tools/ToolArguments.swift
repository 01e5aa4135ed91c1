import ByteText

/// A reason for which a tool gives no answer, for the assistant to read.
///
/// It contains no text of the export: names in there are a stranger's.
struct ToolProblem: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// The arguments of a call, checked against the parameters of the tool.
struct ToolArguments: Sendable {
    private enum Value: Sendable {
        case text(String)
        case integer(Int)
        case texts([String])
    }

    private var values: [String: Value] = [:]

    /// Reads arguments.
    ///
    /// - Parameters:
    ///   - json: An object in JSON; nil if the call has none.
    ///   - parameters: The parameters of the tool.
    init(_ json: [UInt8]?, for parameters: [ToolParameter]) throws(ToolProblem) {
        var reader = JSONReader(json ?? Array("{}".utf8), depthLimit: 8)
        do {
            try reader.object { (reader: inout JSONReader, key) in
                guard let parameter = parameters.first(where: { $0.name == key }) else {
                    let names = parameters.map(\.name).joined(separator: ", ")
                    throw ToolProblem(
                        names.isEmpty
                            ? "this tool takes no arguments" : "unknown argument; this tool takes: \(names)")
                }
                values[key] = try Self.value(&reader, of: parameter)
            }
        } catch let problem as ToolProblem { throw problem } catch {
            throw ToolProblem("the arguments are not a JSON object that can be read")
        }
        for parameter in parameters where parameter.isRequired && values[parameter.name] == nil {
            throw ToolProblem("\(parameter.name) is required")
        }
    }

    private static func value(_ reader: inout JSONReader, of parameter: ToolParameter) throws -> Value {
        func wrong(_ expected: String) -> ToolProblem { ToolProblem("\(parameter.name) must be \(expected)") }
        let kind = try reader.kind()
        switch parameter.kind {
        case .text:
            guard kind == .string else { throw wrong("a string") }
            let text = try reader.string()
            guard !text.isEmpty, text.utf8.count <= longestText else { throw wrong("a short string") }
            return .text(text)
        case .choice(let values):
            let expected = "one of \(values.joined(separator: ", "))"
            guard kind == .string else { throw wrong(expected) }
            let text = try reader.string()
            guard values.contains(text) else { throw wrong(expected) }
            return .text(text)
        case .integer(let range):
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            guard kind == .number, let value = try? reader.integer(), range.contains(value) else {
                throw wrong(expected)
            }
            return .integer(value)
        case .texts(let count):
            let texts = try texts(&reader, wrong("a list of strings"))
            guard count.contains(texts.count) else {
                throw wrong("a list of \(count.lowerBound) to \(count.upperBound) strings")
            }
            return .texts(texts)
        case .choices(let values):
            let expected = wrong("a list of some of \(values.joined(separator: ", "))")
            let texts = try texts(&reader, expected)
            guard texts.allSatisfy(values.contains) else { throw expected }
            return .texts(texts)
        }
    }

    private static func texts(_ reader: inout JSONReader, _ problem: ToolProblem) throws -> [String] {
        guard try reader.kind() == .array else { throw problem }
        var texts: [String] = []
        try reader.array { (reader: inout JSONReader) in
            guard try reader.kind() == .string else { throw problem }
            let text = try reader.string()
            guard !text.isEmpty, text.utf8.count <= longestText else { throw problem }
            texts.append(text)
        }
        return texts
    }

    /// The maximum length of a text, in bytes.
    private static let longestText = 500

    /// The names of the given arguments, sorted.
    var names: [String] { values.keys.sorted() }

    /// Returns a text; nil if it is not given.
    func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { text } else { nil }
    }

    /// Returns a number; nil if it is not given.
    func integer(_ name: String) -> Int? {
        if case .integer(let value)? = values[name] { value } else { nil }
    }

    /// Returns a list of texts; empty if it is not given.
    func texts(_ name: String) -> [String] {
        if case .texts(let texts)? = values[name] { texts } else { [] }
    }
}
