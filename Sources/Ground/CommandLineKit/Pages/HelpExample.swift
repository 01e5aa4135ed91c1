/// A command line in a page of help, with what it does.
public struct HelpExample: Equatable, Sendable {
    /// The command line, as a user would type it; a long one has backslashes before its line ends.
    public let command: String
    /// What it does, in a few words.
    public let meaning: String

    /// Creates an example.
    public init(_ command: String, _ meaning: String) {
        self.command = command
        self.meaning = meaning
    }
}
