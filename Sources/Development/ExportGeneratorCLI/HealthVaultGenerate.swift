import CommandLineKit
import Glibc
import SystemIO

/// The command `healthvault-generate`.
@main
enum HealthVaultGenerate: Sendable {
    static func main() {
        CurrentProcess.turnSignalsIntoErrors()
        exit(status(of: CurrentProcess.arguments))
    }

    /// Runs the command in the arguments, and returns the exit status.
    private static func status(of arguments: [String]?) -> Int32 {
        let invocation: ParsedInvocation<GenerateCommand>
        do throws(UsageError) {
            // Replacement characters might make two names the same.
            guard let arguments else { throw UsageError(.invalidValue, "an argument is not UTF-8") }
            invocation = try GenerateCommand.grammar.parse(arguments)
        } catch {
            // The message quotes the command line, and is escaped here.
            report("\(error.message)", hint: error.hint.isEmpty ? nil : "\(error.hint)")
            return 2
        }
        do throws(GenerateError) {
            switch invocation {
            case .run(let command): try command.run()
            case .help(let page): try GenerateCommand.print(page.text(width: width))
            case .version(let text): try GenerateCommand.print(text + "\n")
            }
            return 0
        } catch {
            report(error.message, hint: error.hint)
            return 1
        }
    }

    private static var width: Int {
        let columns = FileDescriptor(inherited: 1, name: "").terminalColumns
        return columns > 0 ? columns : 80
    }

    private static func report(_ message: TerminalText, hint: TerminalText?) {
        var text: TerminalText = "healthvault-generate: \(message)\n"
        if let hint { text += "  \(hint)\n" }
        try? FileDescriptor(inherited: 2, name: "standard error").write(Array(text.text.utf8).span)
    }
}
