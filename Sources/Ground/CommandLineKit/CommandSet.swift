/// All commands of a tool: finds the command that is called, and answers `help`, `--help` and `--version`.
public struct CommandSet<Command: Sendable>: Sendable {
    /// The word that invokes the tool.
    public let name: String
    /// One line on what the tool does.
    public let summary: String
    /// Paragraphs for the overview.
    public let discussion: String
    /// Command lines to start with, shown when the tool is called without arguments.
    public let introduction: [HelpExample]
    /// The answer to `--version`.
    public let version: String
    /// The day of the version, as manual pages have it: `January 15, 2026`.
    public let day: String
    /// The commands, in groups.
    public let groups: [CommandGroup<Command>]
    /// The descriptions of commands that share a first word, by that word.
    public let families: [String: String]
    /// The pages of the manual that do not describe a single command.
    public let topics: [HelpTopic]

    /// Declares the commands of a tool.
    ///
    /// The command `help` need not be declared. The program stops if the name of a command is already taken, or is a
    /// prefix of another one.
    ///
    /// - Parameters:
    ///   - name: The word that invokes the tool; empty for commands at the tool's own prompt.
    ///   - summary: One line on what the tool does.
    ///   - discussion: Paragraphs for the overview.
    ///   - introduction: Command lines to start with, shown when the tool is called without arguments; if empty, such a
    ///     call is an error.
    ///   - version: The answer to `--version`.
    ///   - day: The day of the version, as manual pages have it.
    ///   - groups: The commands, in groups.
    ///   - families: The descriptions of commands that share a first word, by that word; the overview lists such a
    ///     family in one line: `["session": "export sessions"]`.
    ///   - topics: The pages of the manual that do not describe a single command.
    public init(
        name: String, summary: String, discussion: String = "", introduction: [HelpExample] = [],
        version: String, day: String = "", groups: [CommandGroup<Command>],
        families: [String: String] = [:], topics: [HelpTopic] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.introduction = introduction
        self.version = version
        self.day = day
        self.groups = groups
        self.families = families
        self.topics = topics
        let names = catalog.outlines.map(\.words)
        for (index, words) in names.enumerated() {
            for other in names[..<index] where words.starts(with: other) || other.starts(with: words) {
                let pair = [other, words].map { "'\($0.joined(separator: " "))'" }.joined(separator: " and ")
                preconditionFailure("the commands \(pair) of '\(name)' cannot be told apart")
            }
        }
    }

    /// Returns how these words are typed: after the tool's name, which is empty at the tool's own prompt.
    func invocation(of words: [String]) -> String {
        (name.isEmpty ? words : [name] + words).joined(separator: " ")
    }

    /// How the overview is asked for.
    var helpInvocation: String { name.isEmpty ? "help" : "\(name) --help" }

    var entries: [CommandEntry<Command>] { groups.flatMap(\.entries) }

    /// All commands, with `help` last.
    var catalog: CommandCatalog {
        CommandCatalog(outlines: entries.map(\.outline) + [helpGrammar.outline], familyMeanings: families)
    }
}
