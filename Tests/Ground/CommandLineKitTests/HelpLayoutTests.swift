import Testing

@testable import CommandLineKit

@Suite("The layout of help")
struct HelpLayoutTests {
    @Test("A command's page has usage, summary, discussion, arguments and options, aligned")
    func commandPage() {
        #expect(
            Export.grammar.help(invokedAs: "tool export").text() == """
                usage: tool export [OPTIONS] SOURCE

                Writes a plain export folder, or a container.

                Reads the source once, whatever its size is and however many formats are asked
                for.

                  $ tool export export.zip -o out

                arguments:
                  SOURCE                      what to export

                options:
                  -o, --output PATH           where to write
                  -e, --encrypt               write a container
                  -q, --quiet                 say nothing
                      --no-progress           show no progress
                      --iterations N          rounds of key derivation
                  -j, --jobs N                threads
                      --format F              formats, several with commas
                  -t, --type TYPE             only it's [type]
                  -h, --help                  show this help

                passphrase:
                      --passphrase-file FILE  read the passphrase from FILE

                """)
    }

    @Test("The overview has the groups, with actions in the line of their command, then topics and options")
    func overview() {
        #expect(
            sampleTool.help.text() == """
                usage: tool COMMAND [OPTIONS] [ARGUMENTS]

                Keeps samples.

                A sample of a tool.

                archives:
                  export         Writes a plain export folder, or a container.

                keys:
                  slot           Manages key slots (add, list).

                topics:
                  sources        what can be read

                about the tool:
                  help           Explains a command.
                  version        Prints the version.
                  completions    Prints a shell completion script.

                options:
                  -h, --help     show this help
                      --version  show the version

                'tool help COMMAND' explains a command. 'tool help TOPIC' shows a page of the
                manual.

                """)
    }

    @Test("Examples stand below their comments, and options say what applies without them")
    func examplesAndDefaults() {
        #expect(
            Sweep.grammar.help(invokedAs: "broom sweep").text(width: 40) == """
                usage: broom sweep [OPTIONS]

                Sweeps.

                options:
                      --times N  how often (default:
                                 twice)
                  -h, --help     show this help

                examples:
                  # Sweep thoroughly, in the corners as
                  # well
                  broom sweep --times 9

                """)
    }

    @Test("The name alone shows the introduction, where there is one")
    func introduction() throws {
        let broom = CommandSet<Sweep>(
            name: "broom", summary: "Keeps clean.",
            introduction: [HelpExample("broom sweep", "Sweep the floor")],
            version: "1", groups: [CommandGroup("all", [CommandEntry(Sweep.self) { $0 }])])
        guard case .help(let page) = try broom.parse([]) else {
            Issue.record("no help")
            return
        }
        #expect(
            page.text() == """
                usage: broom COMMAND [OPTIONS] [ARGUMENTS]

                Keeps clean.

                examples:
                  # Sweep the floor
                  broom sweep

                'broom help' lists all commands, 'broom help COMMAND' explains one.

                """)
    }

    @Test("No line is wider than the page, down to 40 columns", arguments: [0, 40, 41, 60, 79, 80, 120])
    func width(width: Int) {
        for page in [
            sampleTool.help, Export.grammar.help(), Slot.grammar.help(), Slot.grammar.help(action: "add"),
        ] {
            for line in page.text(width: width).split(separator: "\n") {
                #expect(line.count <= max(width, 40))
                #expect(line.last != " ")
            }
        }
    }

    @Test("A meaning goes on below itself, and below a term that is too wide")
    func table() {
        let page = HelpPage(blocks: [
            .table(
                "terms",
                [
                    HelpPage.Row(term: "short", meaning: "one two three four five six seven eight"),
                    HelpPage.Row(
                        term: "a term that is too wide", meaning: "one two three four five six seven"),
                    HelpPage.Row(term: "none", meaning: ""),
                ])
        ])
        #expect(
            page.text(width: 40) == """
                terms:
                  short  one two three four five six
                         seven eight
                  a term that is too wide
                         one two three four five six
                         seven
                  none

                """)
    }

    @Test("A long usage goes on below its arguments and breaks no part")
    func usage() {
        let page = HelpPage(blocks: [
            .usage("tool it", ["--output PATH", "--since DATE", "[OPTIONS]", "A", "[B...]"])
        ])
        #expect(
            page.text(width: 40) == """
                usage: tool it --output PATH
                               --since DATE [OPTIONS] A
                               [B...]

                """)
    }

    @Test(
        "Paragraphs are filled, indented lines are kept, and a word that is too wide stands alone",
        arguments: [
            ("", []), ("\n\n", []), ("a", ["a"]), ("a b\nc", ["a b c"]), ("a\n\nb", ["a", "", "b"]),
            ("1234 678 0", ["1234 678 0"]), ("1234 678 01", ["1234 678", "01"]),
            ("a 12345678901 b", ["a", "12345678901", "b"]),
            ("a\n  b   c d e f g h\nd", ["a", "  b   c d e f g h", "d"]),
            ("a   b", ["a b"]),
        ])
    func paragraphs(text: String, lines: [String]) {
        #expect(paragraphLines(of: text, width: 10) == lines)
    }
}

private struct Sweep: ParsableCommand {
    var times: Int?

    static let grammar = CommandGrammar<Self>(
        name: "sweep", summary: "Sweeps.",
        examples: [HelpExample("broom sweep --times 9", "Sweep thoroughly, in the corners as well")],
        elements: [.option(\.times, "times", value: "N", default: "twice", "how often", as: .integer)])
}
