extension CommandSet {
    /// Returns a script that makes the shell complete commands, options and values, once it is sourced.
    ///
    /// For zsh it may also be the file `_name` in a folder of `fpath`.
    public func completionScript(for shell: CompletionShell) -> String { shell.script(for: name) }

    /// Returns the answer to a completion script: `complete bash WORD...`, whose last word is being written; nil for
    /// other arguments.
    func completions(for arguments: [String]) -> String? {
        guard arguments.first == "complete",
            let shell = CompletionShell(rawValue: arguments.dropFirst().first ?? "")
        else { return nil }
        let line = ShellLine(Array(arguments.dropFirst(2)), from: shell)
        return UnfinishedLine(line.words, catalog: catalog).completions(of: line.current).answer(
            to: shell, line)
    }

    /// Returns how a line may go on whose words are those of a command, without the tool's name.
    public func completion(ofLine line: String) -> LineCompletion {
        let words = LineWords(line)
        let current = words.last ?? ""
        guard words.open != "\\" else { return LineCompletion([], of: current, in: nil) }
        let candidates = UnfinishedLine(words.finished, catalog: catalog).completions(of: current).candidates
        return LineCompletion(candidates.map(\.word), of: current, in: words.open)
    }
}
