import ByteText

/// A message of a client: a request, or a notification.
struct ClientMessage: Sendable {
    /// The identifier of a request in JSON; nil for a notification.
    let identifier: [UInt8]?
    /// What is asked for: `tools/call`.
    let method: String
    /// The parameters in JSON; an empty object if there are none.
    let parameters: [UInt8]
    /// The revision that the request states; nil for one that follows a handshake.
    let statedRevision: String?
    /// Whether the request states what the client is capable of.
    let statesCapabilities: Bool

    /// The problems of a line that is no such message.
    enum Problem: Error, Equatable {
        /// The line is not JSON.
        case malformed
        /// The JSON is neither a request nor a notification; the identifier, if there is one.
        case invalid([UInt8]?)
    }

    /// Reads a line; returns nil for a response, which this server never asks for.
    static func read(_ line: [UInt8]) throws(Problem) -> ClientMessage? {
        var (identifier, method, parameters): ([UInt8]?, String?, [UInt8]) = (nil, nil, Array("{}".utf8))
        var (isResponse, isVersion2, isValid) = (false, false, true)
        do {
            var reader = JSONReader(line, depthLimit: 32)
            guard try reader.kind() == .object else {
                try reader.skip()
                try reader.finish()
                throw Problem.invalid(nil)
            }
            try reader.object { (reader: inout JSONReader, key) in
                switch (key, try reader.kind()) {
                case ("jsonrpc", .string): isVersion2 = try reader.string() == "2.0"
                case ("id", .string), ("id", .number): identifier = Array(reader.bytes[try reader.skip()])
                case ("id", _):
                    isValid = false
                    try reader.skip()
                case ("method", .string): method = try reader.string()
                case ("params", .object): parameters = Array(reader.bytes[try reader.skip()])
                case ("params", _):
                    isValid = false
                    try reader.skip()
                case ("result", _), ("error", _):
                    isResponse = true
                    try reader.skip()
                default: try reader.skip()
                }
            }
            try reader.finish()
        } catch let problem as Problem { throw problem } catch { throw .malformed }
        if method == nil, isResponse { return nil }
        guard let method, isVersion2, isValid else { throw .invalid(identifier) }
        return ClientMessage(identifier, method, parameters)
    }

    private init(_ identifier: [UInt8]?, _ method: String, _ parameters: [UInt8]) {
        self.identifier = identifier
        self.method = method
        self.parameters = parameters
        let meta = Self.member("_meta", of: parameters)
        statedRevision = meta.flatMap { Self.text("io.modelcontextprotocol/protocolVersion", of: $0) }
        statesCapabilities =
            meta.flatMap { Self.member("io.modelcontextprotocol/clientCapabilities", of: $0) }?.first
            == UInt8(ascii: "{")
    }

    /// Returns a parameter in JSON; nil if it is not given.
    func parameter(_ name: String) -> [UInt8]? { Self.member(name, of: parameters) }

    /// Returns a parameter that is a string; nil if it is none.
    func text(_ name: String) -> String? { Self.text(name, of: parameters) }

    private static func text(_ name: String, of object: [UInt8]) -> String? {
        guard let value = member(name, of: object) else { return nil }
        var reader = JSONReader(value)
        return try? reader.string()
    }

    private static func member(_ name: String, of object: [UInt8]) -> [UInt8]? {
        var found: [UInt8]?
        var reader = JSONReader(object, depthLimit: 32)
        try? reader.object { (reader: inout JSONReader, key) in
            let value = try reader.skip()
            if key == name { found = Array(reader.bytes[value]) }
        }
        return found
    }
}
