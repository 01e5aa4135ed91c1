import CommandLineKit
import Testing

@Suite("The syntax of options")
struct OptionSyntaxTests {
    @Test(
        "A value may be written in every way of GNU",
        arguments: [
            ["--output", "out", "in"], ["--output=out", "in"], ["-o", "out", "in"], ["-oout", "in"],
            ["in", "-o", "out"], ["in", "--output=out"], ["--output", "out", "--", "in"],
        ])
    func valueForms(arguments: [String]) throws {
        let invocation = try Export.grammar.parse(arguments)
        guard case .run(let command) = invocation else { throw UnexpectedAnswer() }
        #expect(command.output == "out")
        #expect(command.source == "in")
    }

    @Test(
        "Short flags may be bundled, the last with a value",
        arguments: [
            ["-eqoout", "in"], ["-qe", "-o", "out", "in"], ["-eqo", "out", "in"], ["in", "-qeoout"],
        ])
    func bundles(arguments: [String]) throws {
        guard case .run(let command) = try Export.grammar.parse(arguments) else { throw UnexpectedAnswer() }
        #expect(command.encrypt && command.quiet)
        #expect(command.output == "out")
    }

    @Test("What is attached to a short option is its value, even where it looks like something else")
    func attachedShortValue() throws {
        #expect(try parsedExport("in", "-o=out")?.output == "=out")
        #expect(try parsedExport("in", "-o-x")?.output == "-x")
        #expect(try parsedExport("in", "-oe")?.encrypt == false)
    }

    @Test("After '--' everything is an argument")
    func endOfOptions() throws {
        #expect(try parsedExport("--", "--quiet")?.source == "--quiet")
        #expect(try parsedExport("-q", "--", "--")?.source == "--")
    }

    @Test("A lone dash is an argument or a value")
    func loneDash() throws {
        #expect(try parsedExport("-")?.source == "-")
        #expect(try parsedExport("in", "--output", "-")?.output == "-")
        #expect(try parsedExport("in", "-o", "-")?.output == "-")
    }

    @Test("A value that begins with a dash is taken when it is attached")
    func attachedDash() throws {
        #expect(try parsedExport("in", "--output=-x")?.output == "-x")
        #expect(try parsedExport("in", "--output=--")?.output == "--")
    }

    @Test("The first equals sign ends the name, and a value may be empty")
    func equalsSigns() throws {
        #expect(try parsedExport("in", "--output=a=b")?.output == "a=b")
        #expect(try parsedExport("in", "--output=")?.output?.isEmpty == true)
        #expect(try parsedExport("in", "--output", "")?.output?.isEmpty == true)
    }

    @Test("A value may begin with a mark that combines with the equals sign")
    func combiningMark() throws {
        #expect(try parsedExport("in", "--output=\u{301}x")?.output == "\u{301}x")
    }

    @Test("A flag sets its property, once or often, to what it is declared to")
    func flags() throws {
        #expect(try parsedExport("in")?.progress == true)
        #expect(try parsedExport("in", "--no-progress", "--no-progress")?.progress == false)
    }

    @Test("A repeatable option keeps all its values in order")
    func repeatedOption() throws {
        #expect(try parsedExport("in", "-t", "a:b", "--type=it's", "-ta:b")?.types == ["a:b", "it's", "a:b"])
    }

    @Test("What is not given keeps its default")
    func defaults() throws {
        var expected = Export()
        expected.source = "in"
        #expect(try parsedExport("in") == expected)
    }

    @Test("Included elements fill their part of the settings")
    func includedElements() throws {
        #expect(try parsedExport("in", "--passphrase-file", "f")?.passphrase == PassphraseOptions(file: "f"))
    }
}

struct UnexpectedAnswer: Error {}
