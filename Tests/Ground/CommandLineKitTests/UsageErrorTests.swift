import CommandLineKit
import Testing

@Suite("Mistakes in the arguments")
struct UsageErrorTests {
    private static let usualHint = "see 'tool export --help'"

    struct Mistake: CustomTestStringConvertible {
        var arguments: [String]
        var error: UsageError

        init(_ arguments: String..., code: UsageError.Code, _ message: String, _ hint: String = usualHint) {
            self.arguments = ["export"] + arguments
            error = UsageError(code, message, hint: hint)
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "An option nobody declared is named, with the one that may be meant",
        arguments: [
            Mistake(
                "--outptu", "x", code: .unknownOption, "unknown option '--outptu'", "did you mean '--output'?"
            ),
            Mistake(
                "--iter=5", code: .unknownOption, "unknown option '--iter'", "did you mean '--iterations'?"),
            Mistake("--QUIET", code: .unknownOption, "unknown option '--QUIET'", "did you mean '--quiet'?"),
            Mistake("--hlep", code: .unknownOption, "unknown option '--hlep'", "did you mean '--help'?"),
            Mistake("--xyz=1", code: .unknownOption, "unknown option '--xyz'"),
            Mistake("--=1", code: .unknownOption, "unknown option '--'"),
            Mistake("--version", code: .unknownOption, "unknown option '--version'"),
            Mistake("-x", code: .unknownOption, "unknown option '-x'"),
            Mistake("-\u{301}", code: .unknownOption, "unknown option '-\u{301}'"),
            Mistake("-eqx", code: .unknownOption, "unknown option '-x' in '-eqx'"),
            Mistake("-e-", code: .unknownOption, "unknown option '--' in '-e-'"),
            Mistake(
                "-encrypt", code: .unknownOption, "unknown option '-n' in '-encrypt'",
                "did you mean '--encrypt'?"),
        ])
    func unknownOptions(mistake: Mistake) {
        #expect(usageError(mistake.arguments) == mistake.error)
    }

    /// A command that others with an option are like, and that says why it has none.
    struct Merge: ParsableCommand {
        static let grammar = CommandGrammar<Self>(
            name: "merge", summary: "Merges.", elements: [.refused(["ring", "key"], "a ring has no name")])
    }

    @Test(
        "An option that a command refuses is answered with the reason, and listed nowhere",
        arguments: [["--ring"], ["--ring=x"], ["--key", "x"]])
    func refusedOptions(arguments: [String]) {
        let spelling = arguments[0].prefix { $0 != "=" }
        let error = UsageError(
            .unknownOption, "\(spelling) does not work here: a ring has no name", hint: "see 'merge --help'")
        #expect(throws: error) { try Merge.grammar.parse(arguments) }
        #expect(!Merge.grammar.help().text().contains("ring"))
    }

    @Test(
        "A missing value is told, and how to write one that begins with a dash",
        arguments: [
            Mistake("--output", code: .missingValue, "option '--output' requires a value"),
            Mistake("-eo", code: .missingValue, "option '-o' requires a value"),
            Mistake(
                "--output", "-x", code: .missingValue, "option '--output' requires a value",
                "if '-x' is the value, write '--output=-x'"),
            Mistake(
                "--output", "--", "in", code: .missingValue, "option '--output' requires a value",
                "if '--' is the value, write '--output=--'"),
            Mistake(
                "-j", "-5", code: .missingValue, "option '-j' requires a value",
                "if '-5' is the value, write '-j-5'"),
        ])
    func missingValues(mistake: Mistake) {
        #expect(usageError(mistake.arguments) == mistake.error)
    }

    @Test(
        "A value that does not fit is named, with what is expected",
        arguments: [
            Mistake(
                "in", "--quiet=1", code: .unexpectedValue,
                "option '--quiet' takes no value, but got '1'"),
            Mistake("--help=", code: .unexpectedValue, "option '--help' takes no value, but got ''"),
            Mistake(
                "in", "--iterations", "10", code: .invalidValue,
                "option '--iterations' takes a whole number from 1 to 9, not '10'"),
            Mistake(
                "in", "-jx", code: .invalidValue, "option '-j' takes a whole number of at least 1, not 'x'"),
            Mistake(
                "in", "--format=csv,nsjson", code: .invalidValue,
                "option '--format' takes one of ndjson, csv, apple-xml, several with commas, not 'nsjson'",
                "did you mean 'ndjson'?"),
            Mistake("", code: .invalidValue, "argument SOURCE takes a path, not ''"),
        ])
    func wrongValues(mistake: Mistake) {
        #expect(usageError(mistake.arguments) == mistake.error)
    }

    @Test(
        "Too many, too few and those that do not go together are told",
        arguments: [
            Mistake(code: .missingArgument, "missing argument SOURCE"),
            Mistake("-e", code: .missingArgument, "missing argument SOURCE"),
            Mistake(
                "in", "more", "most", code: .surplusArgument, "unexpected argument 'more'",
                "did you mean '-o more'?"),
            Mistake(
                "in", "--", "-x", code: .surplusArgument, "unexpected argument '-x'", "did you mean '-o -x'?"),
            Mistake(
                "in", "--output=a", "--output", "b", code: .repeatedOption,
                "option '--output' was given more than once"),
            Mistake(
                "in", "--output=a", "-oa", code: .repeatedOption,
                "option '-o' (--output) was given more than once"),
            Mistake("in", "-eq", code: .invalidCombination, "'--encrypt' with '--quiet' needs '--output'"),
        ])
    func wrongNumbers(mistake: Mistake) {
        #expect(usageError(mistake.arguments) == mistake.error)
    }

    @Test("A required option is missed")
    func missingOption() {
        let error = UsageError(
            .missingOption, "missing required option '--label'", hint: "see 'tool slot add --help'")
        #expect(usageError(["slot", "add", "archive"]) == error)
    }

    @Test("Control characters of a token do not reach the terminal")
    func controlCharacters() {
        #expect(
            usageError(["export", "in", "a\u{1B}[2J\n\u{202E}"])?.message
                == "unexpected argument 'a\\u{1B}[2J\\n\\u{202E}'")
    }

    @Test("Messages are lower case and every error has a hint")
    func voice() {
        for arguments in [[], ["x"], ["export"], ["slot"], ["slot", "x"], ["--x"], ["-x"], ["help", "x"]] {
            let error = usageError(arguments)
            #expect(error?.message.first?.isUppercase == false)
            #expect(error?.hint.isEmpty == false)
        }
    }

    @Test("A grammar by itself calls the command by its name")
    func hintOfGrammar() {
        #expect(
            throws: UsageError(.missingArgument, "missing argument SOURCE", hint: "see 'export --help'")
        ) {
            try Export.grammar.parse([])
        }
    }
}
