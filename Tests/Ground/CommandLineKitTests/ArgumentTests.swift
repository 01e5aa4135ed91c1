import CommandLineKit
import Testing

@Suite("Arguments")
struct ArgumentTests {
    @Test(
        "Arguments fill required, optional and remaining ones in turn",
        arguments: [
            ([], nil, []), (["a"], "a", []), (["a", "b"], "a", ["b"]),
            (["a", "b", "-", "c"], "a", ["b", "-", "c"]),
        ] as [([String], String?, [String])])
    func order(arguments: [String], archive: String?, names: [String]) throws {
        guard case .run(let command) = try Slot.grammar.parse(["list"] + arguments) else {
            throw UnexpectedAnswer()
        }
        #expect(command.archive == archive)
        #expect(command.names == names)
    }

    struct Sum: ParsableCommand {
        var name = ""
        var numbers: [Int] = []

        static let grammar = CommandGrammar<Self>(
            name: "sum", summary: "Adds numbers.", version: "sum 3",
            elements: [
                .argument(\.name, "NAME", "of the sum"),
                .repeatedArgument(\.numbers, "NUMBER", required: true, "to add", as: .integer),
            ])
    }

    @Test("Remaining arguments may be typed, and required")
    func typedRemaining() throws {
        guard case .run(let sum) = try Sum.grammar.parse(["total", "1", "+2", "--", "-3"]) else {
            throw UnexpectedAnswer()
        }
        #expect(sum.numbers == [1, 2, -3])
        #expect(throws: UsageError(.missingArgument, "missing argument NUMBER", hint: "see 'sum --help'")) {
            try Sum.grammar.parse(["total"])
        }
        let wrong = UsageError(
            .invalidValue, "argument NUMBER takes a whole number, not 'x'", hint: "see 'sum --help'")
        #expect(throws: wrong) { try Sum.grammar.parse(["total", "1", "x"]) }
    }

    struct Copy: ParsableCommand {
        var sources: [String] = []
        var kind = ""
        var target = 0

        static let grammar = CommandGrammar<Self>(
            name: "copy", summary: "Copies.",
            elements: [
                .repeatedArgument(\.sources, "SOURCE", required: true, "to read", as: .text),
                .argument(\.kind, "KIND", "what to read", as: .choice(of: ["steps", "sleep"])),
                .argument(\.target, "NUMBER", "where to", as: .integer),
            ])
    }

    @Test(
        "Repeatable arguments leave as many as follow", arguments: [["a"], ["a", "b"], ["steps", "-", "3"]])
    func repeatableFirst(sources: [String]) throws {
        guard case .run(let copy) = try Copy.grammar.parse(sources + ["sleep", "1"]) else {
            throw UnexpectedAnswer()
        }
        #expect(copy.sources == sources && copy.kind == "sleep" && copy.target == 1)
        #expect(Copy.grammar.help().text().hasPrefix("usage: copy SOURCE... KIND NUMBER\n"))
    }

    @Test(
        "The first one that is missing is told",
        arguments: [([], "SOURCE"), (["a"], "KIND"), (["a", "steps"], "NUMBER")] as [([String], String)])
    func missingAfterRepeatable(arguments: [String], name: String) {
        let error = UsageError(.missingArgument, "missing argument \(name)", hint: "see 'copy --help'")
        #expect(throws: error) { try Copy.grammar.parse(arguments) }
    }

    @Test("A tool of a single command answers '--version' and '--help' by itself")
    func singleCommandTool() throws {
        guard case .text(let text) = try Sum.grammar.parse(["--version", "--unknown"]) else {
            throw UnexpectedAnswer()
        }
        #expect(text == "sum 3\n")
        guard case .help(let page) = try Sum.grammar.parse(["-h"]) else { throw UnexpectedAnswer() }
        #expect(
            page.text() == """
                usage: sum [OPTIONS] NAME NUMBER...

                Adds numbers.

                arguments:
                  NAME           of the sum
                  NUMBER         to add

                options:
                  -h, --help     show this help
                      --version  show the version

                """)
    }
}
