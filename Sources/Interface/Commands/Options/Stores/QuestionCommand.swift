import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// A command that asks one or several sources a question.
protocol QuestionCommand: VaultCommand {
    var answer: AnswerOptions { get set }

    /// Asks the first source.
    func ask() async throws -> ExitStatus
}

extension QuestionCommand {
    /// Asks each source, one after the other; one that cannot answer does not stop the others.
    func run() async throws -> ExitStatus {
        guard answer.source.paths.count > 1 else { return try await ask() }
        let combined = CombinedAnswer()
        var statuses: [ExitStatus] = []
        var failures: [ExitStatus] = []
        // A ring that does not open is one error.
        var key = try answer.source.key.hasRing ? answer.source.key.read(prompt: "") : nil
        for path in answer.source.paths {
            var one = self
            one.answer.source.path = path
            one.answer.report.part = CombinedAnswer.Part(whole: combined, archive: path)
            do {
                let source = OpenedSource(one.answer.source)
                // The passphrase of one is tried with all.
                try KeyOptions.$held.withValue(key) { try source.unlock() }
                key = key ?? source.key
                statuses.append(try await source.lend { try await one.ask() })
            } catch  where Self.isAboutSource(error) {
                var message = ErrorMessage(error)
                message.name(path)
                if answer.report.json { message.showJSON() } else { message.show() }
                failures.append(message.status)
            } catch {
                // What the sources before have answered is not lost.
                if !statuses.isEmpty { try? combined.finish(json: answer.report.json) }
                throw error
            }
        }
        if !statuses.isEmpty { try combined.finish(json: answer.report.json) }
        guard let failure = failures.first else { return statuses.first { $0 != .done } ?? .done }
        return statuses.isEmpty ? failure : .incomplete
    }

    /// Whether another source may answer in spite of an error.
    private static func isAboutSource(_ error: any Error) -> Bool {
        switch error {
        case is UsageError, is PassphraseProblem, is SystemError, is CancellationError: false
        case let error as VaultError: error.code != .interrupted
        default: true
        }
    }
}
