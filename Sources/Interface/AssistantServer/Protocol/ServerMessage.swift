import ByteText

/// Messages to a client, a line each.
struct ServerMessage: Sendable {
    /// The name and version of the server, for the client to show.
    let version: String

    /// The reasons for which a request is refused, with the numbers of JSON-RPC and of the protocol.
    enum Refusal: Int, Sendable {
        case malformed = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case noSuchResource = -32002
        case unsupportedRevision = -32022
    }

    /// Returns the line with the result of a request.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request.
    ///   - revision: The revision of the request.
    ///   - isCacheable: Whether the client may keep the result for a while.
    ///   - members: Writes the members of the result.
    func result(
        of identifier: [UInt8], _ revision: ProtocolRevision, isCacheable: Bool = false,
        _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.key("id")
            writer.raw(identifier.span)
            writer.key("result")
            writer.object { writer in
                if !revision.hasHandshake {
                    writer.member("resultType", "complete")
                    writer.key("_meta")
                    writer.object { writer in
                        writer.key("io.modelcontextprotocol/serverInfo")
                        implementation(&writer)
                    }
                    if isCacheable {
                        writer.member("ttlMs", Self.lifetime)
                        writer.member("cacheScope", "private")
                    }
                }
                members(&writer)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// How long a client may keep what does not change while the server runs, in milliseconds.
    private static let lifetime = 300_000

    /// Returns the line that refuses a request.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the request; nil if it is unknown.
    ///   - data: Writes further details, if there are any.
    func refusal(
        of identifier: [UInt8]?, _ refusal: Refusal, _ message: String,
        data: ((inout JSONWriter) -> Void)? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            if let identifier {
                writer.key("id")
                writer.raw(identifier.span)
            }
            writer.key("error")
            writer.object { writer in
                writer.member("code", refusal.rawValue)
                writer.member("message", message)
                if let data {
                    writer.key("data")
                    data(&writer)
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Writes what the server is called.
    func implementation(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", "healthvault")
            writer.member("version", version)
        }
    }

    /// Writes what the server offers.
    func capabilities(_ writer: inout JSONWriter) {
        writer.key("capabilities")
        writer.object { writer in
            for name in ["tools", "resources", "prompts"] {
                writer.key(name)
                writer.object { _ in }
            }
        }
    }
}
