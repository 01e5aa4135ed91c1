import ByteText
import HealthFHIR

/// Sends requests to a FHIR server, and repeats those that may succeed later.
///
/// The requests of a synchronisation can be repeated: creations are conditional on the identifier, and so are updates and
/// deletions.
final class FHIRClient {
    private let connection: HTTPConnection
    private let base: String
    private let token: [UInt8]
    private let retries: FHIRRetries

    init(
        base: String, token: [UInt8], authorities: String?, retries: FHIRRetries
    ) throws(SyncError) {
        do throws(HTTPConnection.Failure) {
            connection = try HTTPConnection(authorities: authorities, seconds: retries.seconds)
        } catch {
            throw Self.error(error)
        }
        self.base = base
        self.token = token
        self.retries = retries
    }

    /// The most bytes of an answer: several times as many as one of a server that does what it was asked for.
    private static let largestAnswer = 1 << 24

    /// Returns whether a URL leads to the server.
    func owns(_ url: String) -> Bool { url.hasPrefix(base + "/") || url.hasPrefix(base + "?") }

    /// Sends a request until it is answered with a Bundle, and returns that.
    ///
    /// - Parameters:
    ///   - path: The path below the base of the server, or a whole URL below it.
    ///   - type: The media type of the body.
    ///   - isComplete: Returns whether the Bundle is what was asked for.
    func send(
        _ method: String, _ path: String, _ type: String = "application/fhir+json", _ body: [UInt8]? = nil,
        isComplete: (FHIRBundle) -> Bool = { _ in true }
    ) async throws -> FHIRBundle {
        var headers = ["Accept: application/fhir+json", "Expect:"]
        if body != nil { headers.append("Content-Type: \(type)") }
        if !token.isEmpty {
            headers.append("Authorization: Bearer \(String(decoding: token, as: UTF8.self))")
        }
        let url = path.isEmpty ? base : owns(path) ? path : base + "/" + path
        var attempt = 0
        while true {
            try Task.checkCancellation()
            let failure: SyncError
            var wanted: Int?
            switch try request(method, url, headers, body) {
            case .answer(let answer):
                if let bundle = try FHIRBundle(answer), isComplete(bundle) { return bundle }
                failure = SyncError(.targetFailed("an answer that is not a complete Bundle"))
            case .busy(let status, let seconds):
                failure = SyncError(.targetFailed("HTTP status \(status)"))
                wanted = seconds
            case .unreachable(let reason): failure = SyncError(.unreachable(reason))
            }
            attempt += 1
            guard attempt < retries.attempts else { throw failure }
            try await retries.pause(attempt, wanted: wanted)
        }
    }

    /// The outcome of an attempt, unless it is final.
    private enum Outcome {
        case answer([UInt8])
        case busy(status: Int, seconds: Int?)
        case unreachable(String)
    }

    /// Sends a request once.
    ///
    /// - Throws: An error that another attempt would meet too.
    private func request(
        _ method: String, _ url: String, _ headers: [String], _ body: [UInt8]?
    ) throws(SyncError) -> Outcome {
        let answer: HTTPConnection.Response
        do throws(HTTPConnection.Failure) {
            answer = try connection.send(method, url, headers: headers, body: body, limit: Self.largestAnswer)
        } catch {
            if case .transient(let reason) = error { return .unreachable(reason) }
            throw Self.error(error)
        }
        switch answer.status {
        case 200..<300: return .answer(answer.body)
        case 401, 403: throw SyncError(.refused)
        case 429, 500, 502, 503, 504: return .busy(status: answer.status, seconds: answer.retryAfter)
        default:
            let issue = Self.issue(in: answer.body).map { ", \($0)" } ?? ""
            throw SyncError(.targetFailed("HTTP status \(answer.status)\(issue)"))
        }
    }

    /// Returns the code of the first error in an OperationOutcome; nil if an answer is none.
    ///
    /// Its texts stay unread, because they may quote values.
    private static func issue(in body: [UInt8]) -> String? {
        var codes: [String] = []
        var isOutcome = false
        var reader = JSONReader(body)
        try? reader.object { reader, key in
            switch key {
            case "resourceType": isOutcome = try reader.string() == "OperationOutcome"
            case "issue":
                try reader.array { reader in
                    var (severity, code) = ("", "")
                    try reader.object { reader, key in
                        switch key {
                        case "severity": severity = try reader.string()
                        case "code": code = try reader.string()
                        default: _ = try reader.skip()
                        }
                    }
                    if severity == "error" || severity == "fatal" { codes.append(code) }
                }
            default: _ = try reader.skip()
            }
        }
        return isOutcome ? codes.first(where: issueCodes.contains) : nil
    }

    /// FHIR's codes of issues: a server's own could be any text.
    private static let issueCodes: Set<String> = [
        "invalid", "structure", "required", "value", "invariant", "security", "login", "unknown", "expired",
        "forbidden", "suppressed", "processing", "not-supported", "duplicate", "multiple-matches",
        "not-found", "deleted", "too-long", "code-invalid", "extension", "too-costly", "business-rule",
        "conflict", "transient", "lock-error", "no-store", "exception", "timeout", "incomplete",
        "throttled", "informational",
    ]

    /// An answer that is larger than any that was asked for.
    static let tooLarge = SyncError(.targetFailed("an answer that is too large"))

    private static func error(_ failure: HTTPConnection.Failure) -> SyncError {
        switch failure {
        case .missingLibrary: SyncError(.missingLibrary("libcurl4"))
        case .transient(let reason): SyncError(.unreachable(reason))
        case .untrusted(let reason): SyncError(.untrusted(reason))
        case .tooLarge: tooLarge
        case .other(let reason): SyncError(.targetFailed(reason))
        }
    }
}

/// How often, and after what pauses, a request is repeated.
public struct FHIRRetries: Sendable {
    /// The maximum number of attempts.
    public var attempts = 8
    /// The pause after the first attempt; it doubles with each further one.
    public var firstPause = Duration.milliseconds(100)
    /// The longest pause, also if the server wants a longer one.
    public var longestPause = Duration.seconds(300)
    /// The seconds to wait for an answer.
    public var seconds = 120

    /// Creates the default: 8 attempts in about ten seconds, or as the server wants.
    public init() {}

    func pause(_ attempt: Int, wanted: Int?) async throws {
        let doubled = firstPause * (1 << min(attempt - 1, 16))
        // Several clients should not come back at the same instant.
        let own = doubled * Double.random(in: 0.75...1.25)
        try await Task.sleep(for: min(wanted.map { max(own, .seconds($0)) } ?? own, longestPause))
    }
}

/// What is read of a Bundle.
struct FHIRBundle: Sendable {
    private(set) var type = ""
    private(set) var next: String?
    private(set) var entries: [Entry] = []
    /// The number of bytes.
    let size: Int

    /// The most entries of an answer, and the most identifiers of one: an empty one takes two bytes of the answer, and many
    /// times as much memory.
    static let mostEntries = 1 << 18
    private static let mostIdentifiers = 64

    /// An entry of a Bundle.
    struct Entry: Sendable {
        var identifiers: [FHIRIdentifier] = []
        var status = ""
        /// The value of the extension with the identities of a page.
        var data = ""
    }

    /// Reads a Bundle; nil if the bytes are none.
    ///
    /// - Throws: ``SyncError`` if it has more entries than any that was asked for.
    init?(_ bytes: [UInt8]) throws {
        size = bytes.count
        var reader = JSONReader(bytes)
        var isBundle = false
        do {
            try reader.object { reader, key in
                switch key {
                case "resourceType": isBundle = try reader.string() == "Bundle"
                case "type": type = try reader.string()
                case "link": try readLinks(&reader)
                case "entry":
                    try reader.array { reader in
                        guard entries.count < Self.mostEntries else { throw FHIRClient.tooLarge }
                        entries.append(try Self.entry(&reader))
                    }
                default: _ = try reader.skip()
                }
            }
            try reader.finish()
        } catch let error as SyncError { throw error } catch { return nil }
        guard isBundle else { return nil }
    }

    private mutating func readLinks(_ reader: inout JSONReader) throws {
        try reader.array { reader in
            var (relation, url) = ("", "")
            try reader.object { reader, key in
                switch key {
                case "relation": relation = try reader.string()
                case "url": url = try reader.string()
                default: _ = try reader.skip()
                }
            }
            if relation == "next" { next = url }
        }
    }

    private static func entry(_ reader: inout JSONReader) throws -> Entry {
        var entry = Entry()
        try reader.object { reader, key in
            switch key {
            case "response":
                try reader.object { reader, key in
                    if key == "status" { entry.status = try reader.string() } else { _ = try reader.skip() }
                }
            case "resource":
                try reader.object { reader, key in
                    switch key {
                    case "identifier":
                        try reader.array { reader in
                            guard entry.identifiers.count < mostIdentifiers else {
                                throw FHIRClient.tooLarge
                            }
                            entry.identifiers.append(try identifier(&reader))
                        }
                    case "extension":
                        try reader.array { reader in
                            try reader.object { reader, key in
                                if key == "valueBase64Binary" {
                                    entry.data = try reader.string()
                                } else {
                                    _ = try reader.skip()
                                }
                            }
                        }
                    default: _ = try reader.skip()
                    }
                }
            default: _ = try reader.skip()
            }
        }
        return entry
    }

    private static func identifier(_ reader: inout JSONReader) throws -> FHIRIdentifier {
        var (system, value) = ("", "")
        try reader.object { reader, key in
            switch key {
            case "system": system = try reader.string()
            case "value": value = try reader.string()
            default: _ = try reader.skip()
            }
        }
        return FHIRIdentifier(system: system, value: value)
    }
}
