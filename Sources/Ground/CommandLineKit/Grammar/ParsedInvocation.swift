/// The action that the arguments request.
public enum ParsedInvocation<Command: Sendable>: Sendable {
    /// Run this command; all its settings are assigned.
    case run(Command)
    /// Print this page on standard output and do nothing else.
    case help(HelpPage)
    /// Print this text, which has its line ends, on standard output and do nothing else: the version, or completions.
    case text(String)

    func map<Other>(_ transform: (Command) -> Other) -> ParsedInvocation<Other> {
        answer { .run(transform($0)) }
    }

    /// Returns what comes of it if `run` answers for the command.
    func answer<Other, Failure>(
        _ run: (Command) throws(Failure) -> ParsedInvocation<Other>
    ) throws(Failure) -> ParsedInvocation<Other> {
        switch self {
        case .run(let command): try run(command)
        case .help(let page): .help(page)
        case .text(let text): .text(text)
        }
    }
}
