import ByteText
import HealthModel
import HealthQueries
import HealthVault
import SystemIO
import Wording

/// Calls the tools of a server, and records what leaves it.
struct AssistantAnswers: Sendable {
    private let archive: ExposedArchive
    private let ledger: AssistantLedger?
    private let report: @Sendable (any Error) -> Void

    init(
        _ archive: ExposedArchive, _ ledger: AssistantLedger?,
        _ report: @escaping @Sendable (any Error) -> Void
    ) {
        self.archive = archive
        self.ledger = ledger
        self.report = report
    }

    /// Returns the tool with a name; nil if it is not offered.
    func tool(named name: String) -> AssistantTool? {
        AssistantTool(rawValue: name).flatMap { $0.isOffered(archive.allowed) ? $0 : nil }
    }

    /// Writes the list of tools.
    func writeTools(_ writer: inout JSONWriter) {
        writer.key("tools")
        writer.array { writer in
            for tool in AssistantTool.allCases where tool.isOffered(archive.allowed) {
                tool.write(archive.allowed, &writer)
            }
        }
    }

    /// The outcome of a call.
    struct Outcome: Sendable {
        fileprivate let line: AssistantLedger.Line
        private let text: [UInt8]
        private let isError: Bool

        fileprivate init(_ text: [UInt8], isError: Bool, _ line: AssistantLedger.Line) {
            self.text = text
            self.isError = isError
            self.line = line
        }

        /// Writes the members of the result.
        func write(_ writer: inout JSONWriter) {
            writer.key("content")
            writer.array { writer in
                writer.object { writer in
                    writer.member("type", "text")
                    writer.key("text")
                    writer.string(bytes: text.span)
                }
            }
            if isError {
                writer.member("isError", true)
            } else {
                writer.key("structuredContent")
                writer.raw(text.span)
            }
        }
    }

    /// Calls a tool.
    ///
    /// - Parameter json: The arguments in JSON.
    /// - Throws: An error if the archive cannot be read.
    func call(_ tool: AssistantTool, _ json: [UInt8]?) async throws -> Outcome {
        var line = AssistantLedger.Line(asked: tool.rawValue, generation: archive.generation)
        do {
            let arguments = try ToolArguments(json, for: tool.parameters(archive.allowed))
            line.arguments = arguments.names
            let names = arguments.texts("types") + [arguments.text("type")].compactMap(\.self)
            line.types = names.compactMap { name in (try? archive.type(named: name))?.printableName }
            line.times = tool.periods.compactMap { try? archive.range(arguments, prefix: $0) }
            let answer = try await answer(tool, arguments)
            line.rows = answer.rows.count
            return Outcome(answer.json, isError: false, line)
        } catch let problem as ToolProblem {
            line.outcome = "refused"
            return Outcome(Array(problem.message.utf8), isError: true, line)
        } catch let error as VaultError where error.code == .nothingSelected {
            line.outcome = "refused"
            return Outcome(Array("nothing matches".utf8), isError: true, line)
        } catch let error as QueryError where error.isAboutSize {
            line.outcome = "refused"
            let text = "too many samples, or in too many intervals: ask for a shorter time"
            return Outcome(Array(text.utf8), isError: true, line)
        }
    }

    private func answer(_ tool: AssistantTool, _ arguments: ToolArguments) async throws -> ToolAnswer {
        switch tool {
        case .overview: archive.overview()
        case .listTypes: try archive.listTypes(arguments)
        case .statistics: try await archive.statistics(arguments)
        case .summary: try await archive.summary(arguments)
        case .compare: try await archive.compare(arguments)
        case .sleep: try await archive.sleep(arguments)
        case .workouts: try await archive.workouts(arguments)
        case .ecg: try await archive.electrocardiograms(arguments)
        case .samples: try await archive.samples(arguments)
        case .quality: try await archive.quality(arguments)
        }
    }

    /// Returns the text of a resource.
    func text(of resource: AssistantResource) -> [UInt8] {
        switch resource {
        case .overview: archive.overview().json
        case .methods: Array(AssistantTexts.methods.utf8)
        }
    }

    /// Records a call; returns false if that fails.
    func record(_ outcome: Outcome, bytes: Int) -> Bool {
        var line = outcome.line
        line.bytes = bytes
        return append(line)
    }

    /// Records that a resource was read; returns false if that fails.
    func record(_ resource: String, bytes: Int) -> Bool {
        var line = AssistantLedger.Line(asked: resource, generation: archive.generation)
        line.bytes = bytes
        return append(line)
    }

    private func append(_ line: AssistantLedger.Line) -> Bool {
        do {
            try ledger?.append(line)
            return true
        } catch {
            report(error)
            return false
        }
    }
}

extension QueryError {
    /// Whether there is more than is computed at a time.
    fileprivate var isAboutSize: Bool {
        switch code {
        case .tooManyIntervals, .tooManySamples, .tooManySessions: true
        case .unfit, .notSleep: false
        }
    }
}
