import CommandLineKit
import Testing

@Suite("Finding the command")
struct CommandDispatchTests {
    @Test("The first argument names the command, the next one what it is to do")
    func names() throws {
        var export = Export()
        export.source = "in"
        #expect(try parsedCommand("export", "in") == .export(export))
        var list = Slot()
        list.archive = "export"
        #expect(try parsedCommand("slot", "list", "export") == .slot(list))
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
            var slot = Slot()
            (slot.action, slot.archive, slot.label) = (.add, "a", "l")
            #expect(try sampleTool.parse(arguments).command == .slot(slot))
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
            (["slot"], .missingArgument, "missing ACTION: one of add, list", "see 'tool slot --help'"),
            (
                ["slot", "--json"], .missingArgument, "missing ACTION: one of add, list",
                "see 'tool slot --help'"
            ),
            (
                ["slot", "lst"], .invalidValue, "argument ACTION takes one of add, list, not 'lst'",
                "did you mean 'list'?"
            ),
            (
                ["slot", "list", "--jobs"], .invalidCombination, "'list' takes no --jobs, which is for add",
                "see 'tool slot list --help'"
            ),
            (["slot", "add"], .missingArgument, "missing argument ARCHIVE", "see 'tool slot add --help'"),
            (["exprot", "in"], .unknownCommand, "unknown command 'exprot'", "did you mean 'export'?"),
            (["hepl"], .unknownCommand, "unknown command 'hepl'", "did you mean 'help'?"),
            (["slto", "add"], .unknownCommand, "unknown command 'slto'", "did you mean 'slot'?"),
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

    @Test("Each action has its own elements, also where two have a name in common")
    func actions() throws {
        var slot = Slot()
        (slot.action, slot.archive, slot.names, slot.label, slot.json) = (.list, "a", ["b", "c"], "l", true)
        #expect(try parsedCommand("slot", "--json", "list", "a", "b", "c", "--label", "l") == .slot(slot))
        #expect(usageError(["slot", "add", "a"])?.message == "missing required option '--label'")
        #expect(usageError(["slot", "add", "a", "b", "--label", "l"])?.message == "unexpected argument 'b'")
    }

    @Test(
        "The version is asked for at the top",
        arguments: [["--version"], ["-q", "--version", "export"], ["version"]])
    func version(arguments: [String]) throws {
        guard case .text(let text) = try sampleTool.parse(arguments) else { throw UnexpectedAnswer() }
        #expect(text == "tool 1.2\n")
    }
}

extension ParsedInvocation {
    fileprivate var command: Command? { if case .run(let command) = self { command } else { nil } }
}
