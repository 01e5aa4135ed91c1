import ByteText

/// The shells that have completion scripts.
///
/// A script hands the words up to the cursor to the tool's hidden command `complete`, and offers what it prints.
public enum CompletionShell: String, CaseIterable, Sendable {
    /// The GNU Bourne-again shell, from version 4.
    case bash
    /// The Z shell, with its completion system loaded.
    case zsh
    /// The friendly interactive shell, from version 3.
    case fish

    /// Returns the script for a tool.
    func script(for tool: String) -> String {
        let name = shellQuoted(tool)
        let function = "_" + tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        switch self {
        case .bash:
            return """
                # bash completion for \(tool)

                \(function)() {
                    mapfile -t COMPREPLY < <("$1" complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                    case ${COMPREPLY[0]} in
                        files) compopt -o default 2>/dev/null ;;
                        folders) compopt -o dirnames 2>/dev/null ;;
                    esac
                    COMPREPLY=("${COMPREPLY[@]:1}")
                }
                complete -F \(function) \(name)

                """
        case .zsh:
            return """
                #compdef \(tool)
                # zsh completion for \(tool)

                \(function)() {
                    local -a lines
                    lines=("${(@f)$(\(name) complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
                    case $lines[1] in
                        files) compset -P '-*='; _files ;;
                        folders) compset -P '-*='; _files -/ ;;
                        *) shift lines; _describe -V value lines ;;
                    esac
                }

                if [[ $funcstack[1] == \(function) ]]; then
                    \(function) "$@"
                else
                    compdef \(function) \(name)
                fi

                """
        case .fish:
            let answer = "_\(function)"
            let first = "\(answer) | head -n 1 | string match -q"
            return """
                # fish completion for \(tool)

                function \(answer)
                    \(name) complete fish (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
                end

                complete -c \(name) -f -k -a '(\(answer) | tail -n +2)'
                complete -c \(name) -n '\(first) files' -F
                complete -c \(name) -n '\(first) folders' -a '(__fish_complete_directories)'

                """
        }
    }
}
