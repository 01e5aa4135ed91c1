/// The action that the arguments request.
public enum ParsedInvocation<Command: Sendable>: Sendable {
    /// Run this command; all its settings are assigned.
    case run(Command)
    /// Print this page on standard output and do nothing else.
    case help(HelpPage)
    /// Print this text, which has its line ends, on standard output and do nothing else: the version, or completions.
    case text(String)

    func map<Other>(_ transform: (Command) -> Other) -> ParsedInvocation<Other> {
        switch self {
        case .run(let command): .run(transform(command))
        case .help(let page): .help(page)
        case .text(let text): .text(text)
        }
    }
}
