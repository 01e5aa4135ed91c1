import CommandLineKit
import Testing

@Suite("Pages of the system's manual")
struct ManualTests {
    private struct Odd: ParsableCommand {
        var name = ""

        static let grammar = CommandGrammar<Self>(
            name: "odd", summary: "Reads 'odd' files.",
            discussion: """
                .hidden files come first. Then \\ and ~ and -x; an "ö" too.

                  $ tool odd .hidden
                """,
            examples: [HelpExample("tool odd -- \\\n    -x", "Read -x")],
            elements: [.argument(\.name, "NAME", ".hidden or not", as: .text)])
    }

    private let tool = CommandSet<Odd>(
        name: "tool", summary: "Keeps samples.", version: "tool 1.2", day: "January 15, 2026",
        groups: [CommandGroup("all", [CommandEntry(Odd.self) { $0 }])],
        topics: [
            HelpTopic(name: "two-words", summary: "a topic", text: "A topic has a chapter."),
            HelpTopic(name: "file", summary: "a format", text: "A file has bytes.", describesFormat: true),
        ])

    private func answer(_ arguments: String...) throws(UsageError) -> String? {
        guard case .text(let text) = try tool.parse(arguments) else { return nil }
        return text
    }

    @Test("There is one for the tool, one for each command and one for each file format")
    func names() throws {
        #expect(
            try answer("manual")
                == "tool.1\ntool-odd.1\ntool-help.1\ntool-version.1\ntool-completions.1\ntool-file.5\n")
        #expect(throws: UsageError.self) { try tool.parse(["manual", "tool-two-words.7"]) }
    }

    @Test("A page says what help says, and no text is taken for a macro")
    func page() throws {
        #expect(
            try answer("manual", "tool-odd.1") == #"""
                .Dd January 15, 2026
                .Dt TOOL-ODD 1
                .Os
                .Sh NAME
                .Nm tool\-odd
                .Nd "reads \(aqodd\(aq files"
                .Sh SYNOPSIS
                .Nm "tool odd"
                .Ar NAME
                .Sh DESCRIPTION
                Reads \(aqodd\(aq files.
                \&.hidden files come first.
                Then \e and \(ti and \-x; an \(dq\[u00F6]\(dq too.
                .Bd -literal -offset indent
                $ tool odd .hidden
                .Ed
                .Sh ARGUMENTS AND OPTIONS
                .Ss Arguments
                .Bl -tag -width Ds
                .It Ar NAME
                \&.hidden or not
                .El
                .Ss Options
                .Bl -tag -width Ds
                .It Fl h , Fl \-help
                show this help
                .El
                .Sh EXAMPLES
                Read \-x:
                .Bd -literal -offset indent
                tool odd \-\- \e
                    \-x
                .Ed
                .Sh SEE ALSO
                .Xr tool 1 ,
                .Xr tool\-file 5

                """#)
    }

    @Test("Topics are chapters of the tool's page, and are found with spaces")
    func topics() throws {
        let page = try #require(try answer("manual", "tool.1"))
        #expect(page.contains(".Sh TWO WORDS\nA topic has a chapter.\n"))
        #expect(!page.contains("bytes"))
        #expect(try answer("manual", "tool-file.5")?.contains(".Sh DESCRIPTION\nA file has bytes.\n") == true)
        guard case .help(let words) = try tool.parse(["help", "two", "words"]),
            case .help(let name) = try tool.parse(["help", "two-words"])
        else { return #expect(Bool(false), "no help") }
        #expect(words == name)
    }
}
