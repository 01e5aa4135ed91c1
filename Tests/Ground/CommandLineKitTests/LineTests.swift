import CommandLineKit
import Testing

@Suite("Lines at a tool's own prompt")
struct LineTests {
    @Test(
        "are split into words as in a shell",
        arguments: [
            ("", []), ("  stats  steps\t--by month ", ["stats", "steps", "--by", "month"]),
            (#"a 'b c' "d 'e'" f\ g"#, ["a", "b c", "d 'e'", "f g"]), (#"'a'b"c"\d"#, ["abcd"]),
            (#"'' """#, ["", ""]), (#"'\' "\"""#, [#"\"#, #"""#]), ("ä\u{301} 🏥", ["ä\u{301}", "🏥"]),
        ])
    func words(line: String, words: [String]) {
        #expect(LineWords(line).words == words)
    }

    @Test("are not complete with an open quotation mark", arguments: ["'a", "a \"b'", "a\\", "\"\\\""])
    func open(line: String) {
        #expect(LineWords(line).words == nil)
    }

    @Test(
        "are completed at their end",
        arguments: [
            ("ex", "port ", []), ("slot ", "", ["add", "list"]), ("slot l", "ist ", []),
            ("export --format=n", "djson ", []), ("export --form", "at ", []), ("nothing ", "", []),
            ("export -t 'it", #"'\''s' "#, []), ("export -t it", #"\'s "#, []), ("slot\\", "", []),
        ])
    func completion(line: String, insertion: String, choices: [String]) {
        let completion = sampleTool.completion(ofLine: line)
        #expect(completion.insertion == insertion)
        #expect(completion.choices == choices)
    }

    @Test("name a command without the argument that is always the same")
    func supplied() throws {
        let tool = CommandSet<any ParsableCommand>(
            name: "", summary: "", version: "",
            groups: [
                CommandGroup(
                    "all",
                    [
                        CommandEntry(
                            Asking.self, supplying: "SOURCE", with: "health.hvault",
                            withoutSection: "passphrase"
                        ) { $0 }
                    ])
            ])
        guard case .run(let command) = try tool.parse(["ask", "steps"]), let asking = command as? Asking
        else {
            Issue.record("not the command")
            return
        }
        #expect(asking.source == "health.hvault" && asking.type == "steps")
        #expect(throws: UsageError.self) { try tool.parse(["ask", "steps", "--passphrase-file", "x"]) }
        #expect(throws: UsageError.self) { try tool.parse(["ask", "health.hvault", "steps"]) }
        guard case .help(let page) = try tool.parse(["ask", "--help"]) else {
            Issue.record("no help")
            return
        }
        #expect(page.text(width: 80).hasPrefix("usage: ask TYPE\n"))
    }
}

private struct Asking: ParsableCommand {
    var source = ""
    var type = ""
    var file: String?

    static let grammar = CommandGrammar<Self>(
        name: "ask", summary: "Asks.",
        elements: [
            .argument(\.source, "SOURCE", "a source", as: .text),
            .argument(\.type, "TYPE", "a type", as: .text),
            .section("passphrase", [.option(\.file, "passphrase-file", value: "FILE", "a file", as: .text)]),
        ])
}
