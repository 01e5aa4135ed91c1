import CommandLineKit

enum Format: String, CaseIterable, Sendable {
    case ndjson
    case csv
    case appleXML = "apple-xml"
}

struct PassphraseOptions: Equatable, Sendable {
    var file: String?

    static let elements: [GrammarElement<Self>] = [
        .option(\.file, "passphrase-file", value: "FILE", "read the passphrase from FILE", as: .path)
    ]
}

/// A command with an element of every kind.
struct Export: ParsableCommand, Equatable {
    var source = ""
    var output: String?
    var encrypt = false
    var quiet = false
    var progress = true
    var iterations = 600_000
    var jobs: Int?
    var formats: [Format] = [.ndjson]
    var types: [String] = []
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "export", summary: "Writes a plain export folder, or a container.",
        discussion: """
            Reads the source once,
            whatever its size is and however many formats are asked for.

              $ tool export export.zip -o out
            """,
        elements: [
            .argument(\.source, "SOURCE", "what to export", as: .path),
            .option(\.output, "output", short: "o", value: "PATH", "where to write", as: .text),
            .flag(\.encrypt, "encrypt", short: "e", "write a container"),
            .flag(\.quiet, "quiet", short: "q", "say nothing"),
            .flag(\.progress, "no-progress", "show no progress", sets: false),
            .option(
                \.iterations, "iterations", value: "N", "rounds of key derivation", as: .integer(in: 1...9)),
            .option(\.jobs, "jobs", short: "j", value: "N", "threads", as: .integer(in: 1...Int.max)),
            .option(\.formats, "format", value: "F", "formats, several with commas", as: .list(of: .choice)),
            .repeatedOption(
                \.types, "type", short: "t", value: "TYPE", "only it's [type]",
                as: .choice(of: ["it's", "a:b", "$(false)"])
            ),
            .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        if encrypt, quiet, output == nil {
            throw UsageError(.invalidCombination, "'--encrypt' with '--quiet' needs '--output'")
        }
    }
}

/// A command that does two things.
struct Slot: ParsableCommand, Equatable {
    enum Action: String, CaseIterable, Sendable {
        case add
        case list
    }

    var action = Action.list
    var archive: String?
    var label = ""
    var names: [String] = []
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "slot", summary: "Manages key slots.", discussion: "An archive has eight of them.",
        examples: [HelpExample("tool slot add x --label paper", "Add a slot")],
        elements: [
            .action(\.action, [(.add, "Adds a key slot."), (.list, "Lists the key slots.")]),
            .only(
                for: [Action.add],
                [
                    .argument(\.archive, "ARCHIVE", "the container", as: .folder),
                    .option(\.label, "label", value: "TEXT", required: true, "what to call it", as: .text),
                    .expert([.flag(\.label.isLong, "jobs", "a flag here, an option with a value in export")]),
                ]),
            .only(
                for: [Action.list],
                [
                    .optionalArgument(\.archive, "ARCHIVE", "the container", as: .path),
                    .repeatedArgument(\.names, "NAME", "only these", as: .text),
                    .option(\.label, "label", value: "TEXT", "only with this label", as: .text),
                ]),
            .flag(\.json, "json", "print JSON"),
        ])
}

extension String {
    /// Something for a flag to set.
    fileprivate var isLong: Bool {
        get { count > 9 }
        set {}
    }
}

/// What the sample tool runs.
enum SampleCommand: Equatable, Sendable {
    case export(Export)
    case slot(Slot)
}

let sampleTool = CommandSet<SampleCommand>(
    name: "tool", summary: "Keeps samples.", discussion: "A sample of a tool.", version: "tool 1.2",
    groups: [
        CommandGroup("archives", [CommandEntry(Export.self) { .export($0) }]),
        CommandGroup("keys", [CommandEntry(Slot.self) { .slot($0) }]),
    ],
    topics: [HelpTopic(name: "sources", summary: "what can be read", text: "A source is one of many things.")]
)

/// The command that these arguments of `export` give; nil where they ask for something else.
func parsedExport(_ arguments: String...) throws(UsageError) -> Export? {
    guard case .run(let command) = try Export.grammar.parse(arguments, invokedAs: "tool export") else {
        return nil
    }
    return command
}

/// The page that the tool answers with; nil where it does something else.
func helpPage(_ arguments: String...) throws(UsageError) -> HelpPage? {
    guard case .help(let page) = try sampleTool.parse(arguments) else { return nil }
    return page
}

/// The command that the tool would run; nil where it does something else.
func parsedCommand(_ arguments: String...) throws(UsageError) -> SampleCommand? {
    guard case .run(let command) = try sampleTool.parse(arguments) else { return nil }
    return command
}

func usageError(_ arguments: [String]) -> UsageError? {
    do {
        _ = try sampleTool.parse(arguments)
        return nil
    } catch {
        return error
    }
}
