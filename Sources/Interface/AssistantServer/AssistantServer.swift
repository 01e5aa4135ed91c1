import ByteText
import HealthVault
import Synchronization
import SystemIO
import Wording

/// A server of the Model Context Protocol for one archive: reads requests on standard input, a line each, and writes the
/// answers to standard output.
///
/// It only reads the archive, and opens no connection. Calls of tools, which may take long, are answered one after the
/// other; all else is answered at once. A call that the client cancels ends soon, without an answer.
package final class AssistantServer: Sendable {
    private let answers: AssistantAnswers
    private let replies = ServerMessage(version: ToolVersion.number)
    private let state = Mutex(State())
    private let report: @Sendable (any Error) -> Void
    private let output = FileDescriptor(inherited: 1, name: StandardStreams.output)
    private let writing = Mutex(())

    private struct State {
        /// The revision that a handshake has settled; nil before it.
        var revision: ProtocolRevision?
        /// The calls that are not answered yet, by their identifiers.
        var running: [[UInt8]: Task<Void, any Error>] = [:]
        /// Number of calls that are running or wait, also those that were cancelled.
        var calls = 0
    }

    /// The most calls that run or wait; each may be as long as a line is.
    private static let mostCalls = 32

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - archive: What it exposes.
    ///   - ledger: Where to record each answer; nil for nowhere.
    ///   - report: Receives what is wrong with the archive or the ledger, which is for their owner only.
    package init(
        _ archive: ExposedArchive, ledger: AssistantLedger? = nil,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        answers = AssistantAnswers(archive, ledger, report)
        self.report = report
    }

    /// Answers requests until the end of the input.
    ///
    /// - Throws: `SystemError` if the input cannot be read, or the output not be written.
    package func run() async throws {
        var lines = InputLines()
        var last: Task<Void, any Error>?
        while let line = try lines.next() {
            let message: ClientMessage
            do throws(ClientMessage.Problem) {
                guard let line else { throw .invalid(nil) }
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) { continue }
                guard let read = try ClientMessage.read(line) else { continue }
                message = read
            } catch {
                switch error {
                case .malformed: try print(replies.refusal(of: nil, .malformed, "not JSON"))
                case .invalid(let identifier):
                    try print(replies.refusal(of: identifier, .invalidRequest, "not a request"))
                }
                continue
            }
            guard let identifier = message.identifier else {
                receive(message)
                continue
            }
            let revision = revision(of: message)
            if message.method != "tools/call" {
                try print(try await reply(to: message, identifier, revision))
            } else if state.withLock({ $0.calls }) < Self.mostCalls {
                last = task(after: last, identifier) { [self] in
                    try await reply(to: message, identifier, revision)
                }
            } else {
                try print(
                    replies.refusal(
                        of: identifier, .internalError,
                        "\(Self.mostCalls) calls wait already; send this one when they are answered"))
            }
        }
        try await last?.value
    }

    /// Writes a line, of which no other gets into the middle.
    private func print(_ line: [UInt8]) throws(SystemError) {
        try writing.withLock { _ throws(SystemError) in try output.write(line.span) }
    }

    /// Starts to answer a call once those before it are answered.
    private func task(
        after previous: Task<Void, any Error>?, _ identifier: [UInt8],
        _ reply: @escaping @Sendable () async throws -> [UInt8]
    ) -> Task<Void, any Error> {
        // The task, which ends by removing itself, must be in the list before it can end.
        state.withLock { state in
            state.calls += 1
            let task = Task { @concurrent [self] in
                defer {
                    self.state.withLock { state in
                        state.calls -= 1
                        state.running[identifier] = nil
                    }
                }
                try await previous?.value
                do {
                    let line = try await reply()
                    try Task.checkCancellation()
                    try print(line)
                } catch is CancellationError {}
            }
            state.running[identifier] = task
            return task
        }
    }

    /// Receives a notification.
    private func receive(_ message: ClientMessage) {
        guard message.method == "notifications/cancelled", let identifier = message.parameter("requestId")
        else {
            return
        }
        state.withLock { $0.running[identifier] }?.cancel()
    }

    /// What is known of the revision of a request.
    private enum StatedRevision: Sendable {
        case known(ProtocolRevision)
        /// The request states a revision that this server does not speak.
        case unknown(String)
        /// The request needs to state something that it does not.
        case missing
    }

    private func revision(of message: ClientMessage) -> StatedRevision {
        if message.method == "initialize" {
            let asked = message.text("protocolVersion").flatMap { ProtocolRevision(rawValue: $0) }
            let revision = asked.flatMap { $0.hasHandshake ? $0 : nil } ?? .newestWithHandshake
            state.withLock { $0.revision = revision }
            return .known(revision)
        }
        if let text = message.statedRevision {
            guard let revision = ProtocolRevision(rawValue: text), !revision.hasHandshake else {
                return .unknown(text)
            }
            return message.statesCapabilities ? .known(revision) : .missing
        }
        return state.withLock { $0.revision }.map { .known($0) } ?? .missing
    }

    private func reply(
        to message: ClientMessage, _ identifier: [UInt8], _ stated: StatedRevision
    ) async throws -> [UInt8] {
        switch stated {
        case .known(let revision): return try await reply(to: message, identifier, revision)
        case .missing where message.method == "ping":
            return replies.result(of: identifier, .newestWithHandshake) { _ in }
        case .missing:
            return replies.refusal(
                of: identifier, .invalidParameters,
                "_meta must state protocolVersion and clientCapabilities, or a handshake come first")
        case .unknown(let asked):
            return replies.refusal(of: identifier, .unsupportedRevision, "unsupported protocol version") {
                writer in
                writer.object { writer in
                    writer.member("supported", ProtocolRevision.allCases.map(\.rawValue))
                    writer.member("requested", ForeignText.shown(asked))
                }
            }
        }
    }

    private func reply(
        to message: ClientMessage, _ identifier: [UInt8], _ revision: ProtocolRevision
    ) async throws -> [UInt8] {
        switch (message.method, revision.hasHandshake) {
        case ("initialize", true):
            return replies.result(of: identifier, revision) { writer in
                writer.member("protocolVersion", revision.rawValue)
                replies.capabilities(&writer)
                writer.key("serverInfo")
                replies.implementation(&writer)
                writer.member("instructions", AssistantTexts.instructions)
            }
        case ("ping", true): return replies.result(of: identifier, revision) { _ in }
        case ("server/discover", false):
            return replies.result(of: identifier, revision, isCacheable: true) { writer in
                writer.member("supportedVersions", ProtocolRevision.allCases.map(\.rawValue))
                replies.capabilities(&writer)
                writer.member("instructions", AssistantTexts.instructions)
            }
        case ("tools/list", _):
            return replies.result(of: identifier, revision, isCacheable: true) { answers.writeTools(&$0) }
        case ("resources/list", _):
            return replies.result(of: identifier, revision, isCacheable: true) {
                AssistantTexts.writeResources(&$0)
            }
        case ("resources/templates/list", _):
            return replies.result(of: identifier, revision, isCacheable: true) { writer in
                writer.key("resourceTemplates")
                writer.array { _ in }
            }
        case ("prompts/list", _):
            return replies.result(of: identifier, revision, isCacheable: true) {
                AssistantTexts.writePrompts(&$0)
            }
        case ("prompts/get", _):
            guard let prompt = message.text("name").flatMap({ AssistantPrompt(rawValue: $0) }) else {
                return replies.refusal(of: identifier, .invalidParameters, "no such prompt")
            }
            return replies.result(of: identifier, revision) { prompt.write(&$0) }
        case ("resources/read", _): return try resource(message, identifier, revision)
        case ("tools/call", _): return try await call(message, identifier, revision)
        default: return replies.refusal(of: identifier, .unknownMethod, "unknown method")
        }
    }

    private func resource(
        _ message: ClientMessage, _ identifier: [UInt8], _ revision: ProtocolRevision
    ) throws -> [UInt8] {
        guard let resource = message.text("uri").flatMap({ AssistantResource(rawValue: $0) }) else {
            let refusal: ServerMessage.Refusal = revision.hasHandshake ? .noSuchResource : .invalidParameters
            return replies.refusal(of: identifier, refusal, "no such resource")
        }
        let text = answers.text(of: resource)
        let line = replies.result(of: identifier, revision, isCacheable: true) { resource.write(text, &$0) }
        guard answers.record(resource.rawValue, bytes: line.count) else { return unrecorded(identifier) }
        return line
    }

    private func call(
        _ message: ClientMessage, _ identifier: [UInt8], _ revision: ProtocolRevision
    ) async throws -> [UInt8] {
        guard let tool = answers.tool(named: message.text("name") ?? "") else {
            return replies.refusal(of: identifier, .invalidParameters, "no such tool")
        }
        let outcome: AssistantAnswers.Outcome
        do {
            outcome = try await answers.call(tool, message.parameter("arguments"))
        } catch is CancellationError { throw CancellationError() } catch {
            // What is wrong with the archive is for its owner: the message may name what is in it.
            report(error)
            return replies.refusal(
                of: identifier, .internalError, "the archive cannot be read; see the server's log")
        }
        let line = replies.result(of: identifier, revision) { outcome.write(&$0) }
        guard answers.record(outcome, bytes: line.count) else { return unrecorded(identifier) }
        return line
    }

    /// Refuses an answer that the ledger cannot record.
    private func unrecorded(_ identifier: [UInt8]) -> [UInt8] {
        replies.refusal(
            of: identifier, .internalError, "the ledger cannot be written, so nothing is answered")
    }
}
