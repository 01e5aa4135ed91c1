/// The shells that have completion scripts.
public enum CompletionShell: String, CaseIterable, Sendable {
    /// The GNU Bourne-again shell, from version 4.
    case bash
    /// The Z shell, with its completion system loaded.
    case zsh
    /// The friendly interactive shell, from version 3.
    case fish
}

extension CommandSet {
    /// Returns a script that makes the shell complete commands, options and values, once it is sourced.
    ///
    /// For zsh it may also be the file `_name` in a folder of `fpath`.
    public func completionScript(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: BashCompletion(tool: name, catalog: catalog).script
        case .zsh: ZshCompletion(tool: name, catalog: catalog).script
        case .fish: FishCompletion(tool: name, catalog: catalog).script
        }
    }
}
