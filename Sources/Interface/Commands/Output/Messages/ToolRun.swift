package import CommandLineKit
package import SystemIO
package import Wording

/// The run of a tool: from the arguments of its process to its exit status, with a message if it fails.
package enum ToolRun {
    /// Parses the arguments of the process, runs the command that they call, and returns the exit status.
    ///
    /// - Parameters:
    ///   - tool: The name of the tool, which begins its messages.
    ///   - parse: Parses the arguments.
    ///   - run: Runs the command.
    package static func status<Command>(
        of tool: TerminalText, _ parse: ([String]) throws -> ParsedInvocation<Command>,
        run: (Command) async throws -> ExitStatus
    ) async -> ExitStatus {
        // Whether the message is to be JSON shows in arguments that cannot be read exactly, too.
        let words = CurrentProcess.arguments ?? CurrentProcess.repairedArguments
        return await status(of: tool, words, run: run) { _ in
            guard CurrentProcess.hasArguments else {
                throw UsageError(
                    .invalidValue, "the arguments of the program cannot be read", hint: "mount /proc")
            }
            // Replacement characters might make two names the same.
            guard let arguments = CurrentProcess.arguments else {
                throw UsageError(
                    .invalidValue, "an argument is not UTF-8",
                    hint: "rename the file, for example with convmv")
            }
            return try parse(arguments)
        }
    }

    /// Parses the words of a line, runs the command that they call, and returns the exit status.
    ///
    /// - Parameters:
    ///   - tool: The name of the tool, which begins its messages.
    ///   - words: The words of the line.
    ///   - run: Runs the command.
    ///   - parse: Parses the words.
    package static func status<Command>(
        of tool: TerminalText, _ words: [String], run: (Command) async throws -> ExitStatus,
        parse: ([String]) throws -> ParsedInvocation<Command>
    ) async -> ExitStatus {
        do {
            switch try parse(words) {
            case .run(let command):
                DebugLog.log("\(ToolVersion.text), \(CurrentProcess.processorCount) processors")
                let status = try await run(command)
                Console.endProgress()
                DebugLog.log("status \(Int(status.rawValue))")
                return status
            case .help(let page): try Console.print(page: page)
            case .text(let text): try Console.print(generated: text)
            }
            return .done
        } catch let error as SystemError where error.isBrokenPipe && error.path == StandardStreams.output {
            // The reader of the output has closed it.
            return .failed
        } catch {
            let message = ErrorMessage(error)
            // Everything after "--" is an argument.
            if words.prefix(while: { $0 != "--" }).contains("--json") {
                message.showJSON()
            } else {
                message.show(as: tool)
            }
            // An interrupted command exits with the status of the signal.
            if message.status == .interrupted, let signal = CurrentProcess.interruption {
                return ExitStatus(rawValue: 128 + signal) ?? .interrupted
            }
            return message.status
        }
    }
}
