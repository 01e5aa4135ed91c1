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
    /// The pages of the manual that do not describe a single command.
    public let topics: [HelpTopic]

    /// Declares the commands of a tool.
    ///
    /// The commands `help`, `version` and `completions` need not be declared. The program stops if two commands have one name.
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
    ///   - topics: The pages of the manual that do not describe a single command.
    public init(
        name: String, summary: String, discussion: String = "", introduction: [HelpExample] = [],
        version: String, day: String = "", groups: [CommandGroup<Command>], topics: [HelpTopic] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.introduction = introduction
        self.version = version
        self.day = day
        self.groups = groups
        self.topics = topics
        var names: Set<String> = []
        for command in catalog.names where !names.insert(command).inserted {
            preconditionFailure("'\(name)' has two commands named '\(command)'")
        }
    }

    /// Returns how these words are typed: after the tool's name, which is empty at the tool's own prompt.
    func invocation(of words: [String]) -> String {
        (name.isEmpty ? words : [name] + words).joined(separator: " ")
    }

    /// How the overview is asked for.
    var helpInvocation: String { name.isEmpty ? "help" : "\(name) --help" }

    var entries: [CommandEntry<Command>] { groups.flatMap(\.entries) }

    /// All commands, with those that every tool has last.
    var catalog: CommandCatalog {
        CommandCatalog(outlines: entries.map(\.outline) + builtIns)
    }
}
