import CommandLineKit
import Testing

@Suite("Asking for help")
struct HelpRequestTests {
    @Test(
        "The overview comes by option and by command",
        arguments: [["--help"], ["-h"], ["help"], ["-qh", "export"]])
    func overview(arguments: [String]) throws {
        guard case .help(let page) = try sampleTool.parse(arguments) else { throw UnexpectedAnswer() }
        #expect(page == sampleTool.help)
    }

    @Test(
        "The help of a command comes by option and by command, whatever else is missing or wrong",
        arguments: [
            ["export", "--help"], ["export", "-h"], ["help", "export"], ["export", "in", "more", "-eh"],
            ["export", "--iterations=x", "--help", "--unknown"], ["-q", "export", "--help"],
        ])
    func command(arguments: [String]) throws {
        guard case .help(let page) = try sampleTool.parse(arguments) else { throw UnexpectedAnswer() }
        #expect(page == Export.grammar.help(invokedAs: "tool export"))
    }

    @Test("A command that does several things has a page, and each of them")
    func actions() throws {
        let whole = try #require(try helpPage("slot", "--help"))
        #expect(try helpPage("help", "slot") == whole)
        #expect(
            whole.text() == """
                usage: tool slot ACTION [OPTIONS] [ARGUMENTS]

                Manages key slots.

                An archive has eight of them.

                actions:
                  add ARCHIVE               Adds a key slot.
                  list [ARCHIVE] [NAME...]  Lists the key slots.

                arguments:
                  ARCHIVE                   the container
                  NAME                      only these

                options:
                      --json                print JSON
                  -h, --help                show this help

                options of add:
                      --label TEXT          what to call it

                options of list:
                      --label TEXT          only with this label

                for experts (add):
                      --jobs                a flag here, an option with a value in export

                examples:
                  # Add a slot
                  tool slot add x --label paper

                """)
        let action = try #require(try helpPage("help", "slot", "list"))
        #expect(try helpPage("slot", "list", "--help") == action)
        #expect(try helpPage("help", "slot list") == action)
        #expect(
            action.text() == """
                usage: tool slot list [OPTIONS] [ARCHIVE] [NAME...]

                Lists the key slots.

                arguments:
                  ARCHIVE           the container
                  NAME              only these

                options:
                      --label TEXT  only with this label
                      --json        print JSON
                  -h, --help        show this help

                'tool slot --help' explains all actions.

                """)
        #expect(
            try helpPage("help", "slot", "add")?.text().hasPrefix(
                "usage: tool slot add --label TEXT [OPTIONS] ARCHIVE\n")
                == true)
    }

    @Test("A topic has its page, and so has the command help itself")
    func topics() throws {
        #expect(
            try helpPage("help", "sources")?.text()
                == "sources: what can be read\n\nA source is one of many things.\n")
        let help = try #require(try helpPage("help", "--help"))
        #expect(try helpPage("help", "help") == help)
        #expect(help.text().hasPrefix("usage: tool help [NAME...]\n"))
    }

    @Test(
        "What has no page is told, with what may be meant",
        arguments: [
            (["help", "expert"], "did you mean 'export'?"), (["help", "source"], "did you mean 'sources'?"),
            (["help", "slot", "lost"], "did you mean 'slot list'?"),
            (["help", "nothing"], "see 'tool --help'"),
        ])
    func unknownTopics(arguments: [String], hint: String) {
        let name = arguments.dropFirst().joined(separator: " ")
        #expect(
            usageError(arguments)
                == UsageError(.unknownTopic, "no command or topic named '\(name)'", hint: hint))
    }

    @Test("The command help takes no other options")
    func optionOfHelp() {
        let error = UsageError(.unknownOption, "unknown option '--all'", hint: "see 'tool help --help'")
        #expect(usageError(["help", "--all"]) == error)
    }
}
