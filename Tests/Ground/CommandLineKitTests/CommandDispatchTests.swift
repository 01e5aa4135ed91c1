import CommandLineKit
import Testing

@Suite("Finding the command")
struct CommandDispatchTests {
    @Test("The first argument names the command, one of a family by two")
    func names() throws {
        var export = Export()
        export.source = "in"
        #expect(try parsedCommand("export", "in") == .export(export))
        var list = SlotList()
        list.archive = "export"
        #expect(try parsedCommand("slot", "list", "export") == .slotList(list))
    }

    @Test(
        "Options may stand anywhere, also before the command",
        arguments: [
            ["--label", "l", "slot", "add", "a"], ["slot", "--label=l", "add", "a"],
            ["slot", "add", "a", "--label", "l"],
            ["--", "slot", "add", "--label"], ["slot", "--label", "l", "--", "add", "a"],
        ])
    func optionsAnywhere(arguments: [String]) throws {
        let error = usageError(arguments)
        if arguments.first == "--" {
            #expect(error?.message == "missing required option '--label'")
        } else {
            guard case .run(.slotAdd(let command)) = try sampleTool.parse(arguments) else {
                throw UnexpectedAnswer()
            }
            #expect(command == SlotAdd(archive: "a", label: "l"))
        }
    }

    @Test("Bundles before the command are read like those after it")
    func leadingBundle() throws {
        guard case .run(.export(let command)) = try sampleTool.parse(["-eqo", "out", "export", "in"]) else {
            throw UnexpectedAnswer()
        }
        #expect(command.encrypt && command.quiet && command.output == "out")
    }

    @Test("An option of another command is unknown to this one, wherever it stands")
    func foreignOption() {
        let error = UsageError(.unknownOption, "unknown option '--label'", hint: "see 'tool export --help'")
        #expect(usageError(["--label=x", "export", "in"]) == error)
    }

    @Test(
        "An option that takes a value in one command only has to follow the command",
        arguments: ["--jobs", "-j"])
    func ambiguousOption(spelling: String) throws {
        let hint = "write options after the command, or see 'tool --help'"
        #expect(
            usageError([spelling, "2", "export", "in"])
                == UsageError(.unknownOption, "unknown option '\(spelling)'", hint: hint))
        guard case .run(.export(let command)) = try sampleTool.parse(["export", spelling, "2", "in"]) else {
            throw UnexpectedAnswer()
        }
        #expect(command.jobs == 2)
    }

    @Test(
        "A command that is missing or unknown is told, with the one that may be meant",
        arguments: [
            ([], .missingCommand, "missing command", "see 'tool --help'"),
            (["-q"], .missingCommand, "missing command", "see 'tool --help'"),
            (["slot"], .missingCommand, "'slot' requires one of add, list", "see 'tool slot --help'"),
            (["exprot", "in"], .unknownCommand, "unknown command 'exprot'", "did you mean 'export'?"),
            (["hepl"], .unknownCommand, "unknown command 'hepl'", "did you mean 'help'?"),
            (["slto", "add"], .unknownCommand, "unknown command 'slto'", "did you mean 'slot'?"),
            (["slot", "ad"], .unknownCommand, "unknown command 'slot ad'", "did you mean 'slot add'?"),
            (["-"], .unknownCommand, "unknown command '-'", "see 'tool --help'"),
            ([""], .unknownCommand, "unknown command ''", "see 'tool --help'"),
            (
                ["--outptu=x", "export"], .unknownOption, "unknown option '--outptu'",
                "did you mean '--output'?"
            ),
        ] as [([String], UsageError.Code, String, String)])
    func wrongCommands(arguments: [String], code: UsageError.Code, message: String, hint: String) {
        #expect(usageError(arguments) == UsageError(code, message, hint: hint))
    }

    @Test("The version is asked for at the top", arguments: [["--version"], ["-q", "--version", "export"]])
    func version(arguments: [String]) throws {
        guard case .text(let text) = try sampleTool.parse(arguments) else { throw UnexpectedAnswer() }
        #expect(text == "tool 1.2\n")
    }
}
