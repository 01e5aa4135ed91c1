import CommandLineKit
import Testing

@Suite("Completion scripts")
struct CompletionTests {
    @Test("Every shell takes its script", arguments: CompletionShell.allCases)
    func syntax(shell: CompletionShell) throws {
        // Shells that are not installed have nothing to say.
        guard let check = ShellCheck(shell.rawValue) else { return }
        // Under -n fish tells of mistakes, but not by its status; its script does nothing but declare.
        let options = shell == .fish ? ["--no-config", "-c", "echo $argv[1] | source"] : ["-n", "-c"]
        let script = sampleTool.completionScript(for: shell)
        #expect(check.status(options + [script]) == 0)
        #expect(check.status(options + [script + "\nif ("], silent: true) != 0)
    }

    @Test("A script is the same every time, and ends in a line end", arguments: CompletionShell.allCases)
    func determinism(shell: CompletionShell) {
        let script = sampleTool.completionScript(for: shell)
        #expect(script == sampleTool.completionScript(for: shell))
        #expect(script.hasSuffix("\n"))
    }

    @Test(
        "Bash offers what fits at the cursor",
        .enabled(if: ShellCheck.isInstalled("bash")),
        arguments: [
            (["tool", ""], ["export", "slot", "help"]),
            (["tool", "ex"], ["export"]),
            (["tool", "slot", ""], ["add", "list"]),
            (["tool", "-"], ["-h", "--help", "--version"]),
            (["tool", "slot", "list", "-"], ["-h", "--help"]),
            (["tool", "export", "--no"], ["--no-progress"]),
            (["tool", "export", "--format", "n"], ["ndjson"]),
            (["tool", "export", "--format", "=", "n"], ["ndjson"]),
            (["tool", "export", "--format", "="], ["ndjson", "csv", "apple-xml"]),
            (["tool", "export", "--format=n"], ["--format=ndjson"]),
            (["tool", "export", "--format", "ndjson,c"], ["ndjson,csv"]),
            (["tool", "export", "-t", ""], ["it\\'s", "a:b", "\\$\\(false\\)"]),
            (["tool", "export", "-eqt", "i"], ["it\\'s"]),
            (["tool", "export", "-t", "$(exit 3)"], []),
            (["tool", "export", "-o", "x", "-"], ["-o", "--output", "-e", "--encrypt"]),
            (["tool", "export", "--", "-"], []),
            (["tool", "-o", "x", "exp"], ["export"]),
            (["tool", "nothing", ""], []),
            (["tool", "help", "s"], ["slot", "sources"]),
        ])
    func bash(words: [String], offers: [String]) throws {
        let check = try #require(ShellCheck("bash"))
        // The shell compares by itself: what it offers has to begin with the offers expected.
        let test = """
            words=$1; shift
            COMP_WORDS=("${@:1:words}") COMP_CWORD=$((words - 1)); shift "$words"
            _tool
            [[ $# -gt 0 || ${#COMPREPLY[@]} -eq 0 ]] || exit 2
            [[ "${COMPREPLY[*]:0:$#}" == "$*" ]]
            """
        let script = sampleTool.completionScript(for: .bash) + test
        #expect(check.status(["-c", script, "bash", "\(words.count)"] + words + offers) == 0)
    }

    @Test(
        "Bash offers words with a colon in parts, and what the tool prints",
        .enabled(if: ShellCheck.isInstalled("bash")),
        arguments: [
            // Bash makes three words of "group:he", and replaces only the last one.
            (["picker", "pick", "--types", "group", ":", "he"], ["heart"]),
            (["picker", "pick", "--types", "group", ":"], ["heart", "body"]),
            (["picker", "pick", "--types", "group", ":", ""], ["heart", "body"]),
            (["picker", "pick", "--types", "gr"], ["group:heart", "group:body"]),
            (["picker", "pick", "--types", "=", "group", ":", "b"], ["body"]),
            (["picker", "pick", "--types", "steps,group", ":", "h"], ["heart"]),
            (["picker", "pick", "--types", "group", ":", "heart,st"], ["heart,steps"]),
            (["picker", "pick", "--types", "group", ":", "heart", ""], ["one", "two\\ words"]),
            (["picker", "pick", "t"], ["two\\ words"]),
        ])
    func bashColons(words: [String], offers: [String]) throws {
        let check = try #require(ShellCheck("bash"))
        let test = """
            picker() { [[ "$*" == "names of all" ]] && printf 'one\\ntwo words\\n'; }
            words=$1; shift
            COMP_WORDS=("${@:1:words}") COMP_CWORD=$((words - 1)); shift "$words"
            _picker picker
            [[ "${COMPREPLY[*]}" == "$*" ]] || { echo "${COMPREPLY[*]}" >&2; exit 1; }
            """
        let script = picker.completionScript(for: .bash) + test
        #expect(check.status(["-c", script, "bash", "\(words.count)"] + words + offers) == 0)
    }

    @Test("Each shell asks the tool for names")
    func printedNames() {
        #expect(picker.completionScript(for: .bash).contains("kind=printed printer=('names' 'of all')"))
        #expect(picker.completionScript(for: .zsh).contains(#"compadd - ${(f)"$('"#))
        #expect(
            picker.completionScript(for: .fish).contains(
                #"-a '(\'picker\' \'names\' \'of all\' 2>/dev/null)'"#))
    }

    @Test("Quotes, brackets and colons of texts are quoted for each shell")
    func quoting() {
        let bash = sampleTool.completionScript(for: .bash)
        #expect(bash.contains(#"candidates=('it'\''s' 'a:b' '$(false)')"#))
        let zsh = sampleTool.completionScript(for: .zsh)
        #expect(zsh.contains(#"'*--type=[only it'\''s \[type\]]:TYPE:compadd - "#))
        #expect(zsh.contains(#"a\:b"#))
        let fish = sampleTool.completionScript(for: .fish)
        #expect(fish.contains(#"-d 'only it\'s [type]' -r -f -a '\'it\\\'s\' \'a:b\' \'$(false)\''"#))
    }
}

/// A command whose values have colons in them, or are known only to the tool.
private struct Pick: ParsableCommand {
    var name: String?
    var types: [String] = []

    static let grammar = CommandGrammar<Self>(
        name: "pick", summary: "Picks.",
        elements: [
            .optionalArgument(
                \.name, "NAME", "a name",
                as: ValueParser(expected: "a name", completion: .printed(["names", "of all"])) { $0 }),
            .option(
                \.types, "types", value: "A,B", "types",
                as: .list(of: .choice(of: ["group:heart", "group:body", "steps"]))),
        ])
}

private let picker = CommandSet<Pick>(
    name: "picker", summary: "Picks.", version: "1",
    groups: [CommandGroup("all", [CommandEntry(Pick.self) { $0 }])])
