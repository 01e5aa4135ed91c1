/// The action that the arguments request.
public enum ParsedInvocation<Command: Sendable>: Sendable {
    /// Run this command; all its settings are assigned.
    case run(Command)
    /// Print this page on standard output and do nothing else.
    case help(HelpPage)
    /// Print this version text on standard output and do nothing else.
    case version(String)

    func map<Other>(_ transform: (Command) -> Other) -> ParsedInvocation<Other> {
        switch self {
        case .run(let command): .run(transform(command))
        case .help(let page): .help(page)
        case .version(let text): .version(text)
        }
    }
}
