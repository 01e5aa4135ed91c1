import CommandLineKit
import Testing

@Suite("Completion")
struct CompletionTests {
    @Test(
        "What is offered fits at the cursor",
        arguments: [
            (
                [""],
                [
                    "export\tWrites a plain export folder, or a container.", "slot\tManages key slots.",
                    "help\tExplains a command.", "version\tPrints the version.",
                    "completions\tPrints a shell completion script.",
                ]
            ),
            (["ex"], ["export\tWrites a plain export folder, or a container."]),
            (["slot", ""], ["add\tAdds a key slot.", "list\tLists the key slots."]),
            (["-"], ["-h\tshow this help", "--help\tshow this help", "--version\tshow the version"]),
            (
                ["slot", "list", "-"],
                [
                    "--label\tonly with this label", "--json\tprint JSON", "-h\tshow this help",
                    "--help\tshow this help",
                ]
            ),
            (["slot", "add", "--jo"], ["--jobs\ta flag here, an option with a value in export"]),
            (["slot", "list", "--jo"], []),
            (["completions", "z"], ["zsh"]),
            (["export", "--no"], ["--no-progress\tshow no progress"]),
            (["export", "--format", "n"], ["ndjson"]),
            (["export", "--format="], ["--format=ndjson", "--format=csv", "--format=apple-xml"]),
            (["export", "--format", "ndjson,c"], ["ndjson,csv"]),
            (["export", "--format=ndjson,c"], ["--format=ndjson,csv"]),
            (["export", "-t", ""], ["it's", "a:b", "$(false)"]),
            (["export", "-eqt", "i"], ["it's"]),
            (
                ["export", "-tx", "-eq", "--type", "x", "--unknown", "-z", "--ty"],
                ["--type\tonly it's [type]"]
            ),
            (["export", "-t", "$(exit 3)"], []),
            (["export", "-o", ""], []),
            (["-o", "x", "exp"], ["export\tWrites a plain export folder, or a container."]),
            (["nothing", ""], []),
            (["help", "s"], ["slot", "sources"]),
        ])
    func offers(words: [String], lines: [String]) throws {
        #expect(try answer(sampleTool, .fish, words) == ["words"] + lines)
    }

    @Test(
        "Names of files and folders are left to the shell",
        arguments: [
            (["export", ""], "files"), (["export", "--", "-"], "files"), (["slot", "add", "x"], "folders"),
            (["export", "--passphrase-file="], "files"), (["slot", "list", "a"], "files"),
        ])
    func files(words: [String], kind: String) throws {
        #expect(try answer(sampleTool, .zsh, words) == [kind])
    }

    @Test(
        "Bash gets what follows the last '=' or ':', which it splits words at",
        arguments: [
            (["pick", "--types", "group", ":", "he"], ["heart"]),
            (["pick", "--types", "group", ":"], ["heart", "body"]),
            (["pick", "--types", "group", ":", ""], ["heart", "body"]),
            (["pick", "--types", "gr"], ["group:heart", "group:body"]),
            (["pick", "--types", "="], ["group:heart", "group:body", "steps"]),
            (["pick", "--types", "=", "st"], ["steps"]),
            (["pick", "--types=st"], ["--types=steps"]),
            (["pick", "--types", "=", "group", ":", "b"], ["body"]),
            (["pick", "--types", "steps,group", ":", "h"], ["heart"]),
            (["pick", "--types", "group", ":", "heart,st"], ["heart,steps"]),
            (["pick", "--types", "group", ":", "heart", ""], ["it\\'s", "two\\ words", "\\$\\(false\\)"]),
            (["pick", "t"], ["two\\ words"]),
            (["pick", "--numbers", ""], []),
        ])
    func pieces(words: [String], lines: [String]) throws {
        #expect(try answer(picker, .bash, words) == ["words"] + lines)
    }

    @Test("Zsh gets meanings after a colon, and words with their colons escaped")
    func zsh() throws {
        #expect(try answer(picker, .zsh, ["pick", "--t"]) == ["words", "--types:some types"])
        #expect(
            try answer(picker, .zsh, ["pick", "--types", "g"]) == ["words", "group\\:heart", "group\\:body"])
    }

    @Test("A name that could control the terminal is not offered, and only scripts ask for completions")
    func hidden() throws {
        #expect(try answer(picker, .fish, ["pick", ""]) == ["words", "it's", "two words", "$(false)"])
        #expect(throws: UsageError.self) { try picker.parse(["complete"]) }
        #expect(throws: UsageError.self) { try picker.parse(["complete", "csh", ""]) }
        #expect(!sampleTool.help.text().contains("complete"))
    }

    @Test("Every shell reads its script", arguments: CompletionShell.allCases)
    func syntax(shell: CompletionShell) throws {
        // Nothing can be checked in a shell that is not installed.
        guard let check = ShellCheck(shell.rawValue) else { return }
        // Fish reports mistakes under -n, but not with its status; its script only declares.
        let options = shell == .fish ? ["--no-config", "-c", "echo $argv[1] | source"] : ["-n", "-c"]
        let script = sampleTool.completionScript(for: shell)
        #expect(check.status(options + [script]) == 0)
        #expect(check.status(options + [script + "\nif ("], silent: true) != 0)
    }

    @Test(
        "Bash asks with the words up to the cursor, and offers the answer",
        .enabled(if: ShellCheck.isInstalled("bash")))
    func bash() throws {
        let check = try #require(ShellCheck("bash"))
        let test = """
            picker() {
                [[ $# == 5 && "$*" == "complete bash pick two words " ]] && printf 'words\\none\\ntwo\\\\ words\\n'
            }
            COMP_WORDS=(picker pick 'two words' '' later) COMP_CWORD=3
            _picker picker
            [[ ${#COMPREPLY[@]} == 2 && ${COMPREPLY[0]} == one && ${COMPREPLY[1]} == 'two\\ words' ]]
            """
        #expect(check.status(["-c", picker.completionScript(for: .bash) + test]) == 0)
    }

    @Test(
        "Fish asks with the words up to the cursor, and offers the answer",
        .enabled(if: ShellCheck.isInstalled("fish")))
    func fish() throws {
        let check = try #require(ShellCheck("fish"))
        let test = """
            function picker
                test "$argv" = 'complete fish pick --types gr'; and printf 'words\\ngroup:heart\\tit\\n'
            end
            test (complete -C 'picker pick --types gr') = group:heart\\tit
            """
        let script = picker.completionScript(for: .fish) + test
        #expect(check.status(["--no-config", "-c", script]) == 0)
    }

    @Test("A word behind repeatable arguments is what follows them, if it may be, or one more of them")
    func repeatableFirst() throws {
        let copier = CommandSet<ArgumentTests.Copy>(
            name: "copier", summary: "Copies.", version: "1",
            groups: [CommandGroup("all", [CommandEntry(ArgumentTests.Copy.self) { $0 }])])
        #expect(try answer(copier, .fish, ["copy", "s"]) == ["words"])
        #expect(try answer(copier, .fish, ["copy", "a", "b", "st"]) == ["words", "steps"])
        #expect(try answer(copier, .fish, ["copy", "a", "x"]) == ["words"])
    }

    private func answer(
        _ tool: CommandSet<some Sendable>, _ shell: CompletionShell, _ words: [String]
    ) throws -> [String] {
        guard case .text(let text) = try tool.parse(["complete", shell.rawValue] + words) else {
            throw UnexpectedAnswer()
        }
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }
}

/// A command whose values have colons in them, or are known only to the tool.
private struct Pick: ParsableCommand {
    var names: [String] = []
    var types: [String] = []
    var numbers: [Int] = []

    static let grammar = CommandGrammar<Self>(
        name: "pick", summary: "Picks.",
        elements: [
            .repeatedArgument(
                \.names, "NAME", "names",
                as: ValueParser(
                    expected: "a name",
                    completion: .names { ["it's", "two words", "\u{1B}[2J", "$(false)"] }
                ) { $0 }),
            .option(
                \.types, "types", value: "A,B", "some\ntypes",
                as: .list(of: .choice(of: ["group:heart", "group:body", "steps"]))),
            .option(\.numbers, "numbers", value: "N,M", "numbers", as: .list(of: .integer)),
        ])
}

private let picker = CommandSet<Pick>(
    name: "picker", summary: "Picks.", version: "1",
    groups: [CommandGroup("all", [CommandEntry(Pick.self) { $0 }])])
