/// The completion script for zsh: a function for every command and family, around `_arguments`.
struct ZshCompletion {
    private let tool: String
    private let catalog: CommandCatalog

    init(tool: String, catalog: CommandCatalog) {
        self.tool = tool
        self.catalog = catalog
    }

    var script: String {
        let main = function([])
        let functions = ([[]] + catalog.families).map(family(_:)) + catalog.outlines.map(command(_:))
        return """
            #compdef \(tool)
            # zsh completion for \(tool), generated from its grammar

            \(functions.joined(separator: "\n\n"))

            if [[ $funcstack[1] == \(main) ]]; then
                \(main) "$@"
            else
                compdef \(main) \(shellQuoted(tool))
            fi

            """
    }

    /// Returns a function that offers the words that may come next, and calls the function of the one already entered.
    private func family(_ words: [String]) -> String {
        let options = words.isEmpty ? [ElementDeclaration.help, .version] : [.help]
        let choices = catalog.choices(after: words)
        let descriptions = choices.map { choice in
            let meaning = oneLine(catalog.meaning(of: words + [choice]))
            return "                " + shellQuoted("\(backslashed(choice, ":\\")):\(meaning)")
        }
        let cases = choices.map { "                \(shellQuoted($0))) \(function(words + [$0])) ;;" }
        let specifications = (options.flatMap(specifications(_:)) + ["'1: :->command'", "'*:: :->rest'"])
        return """
            \(function(words))() {
                local curcontext=$curcontext context state state_descr line
                typeset -A opt_args
                _arguments -C -s -S \\
                    \(specifications.joined(separator: " \\\n        ")) && return
                case $state in
                    command)
                        local -a commands=(
            \(descriptions.joined(separator: "\n"))
                        )
                        _describe -t commands command commands ;;
                    rest)
                        case $line[1] in
            \(cases.joined(separator: "\n"))
                        esac ;;
                esac
            }
            """
    }

    private func command(_ outline: CommandOutline) -> String {
        let specifications = outline.declarations.flatMap(specifications(_:))
        return """
            \(function(outline.words))() {
                _arguments -s -S \\
                    \(specifications.joined(separator: " \\\n        "))
            }
            """
    }

    /// Returns the specifications of an element; see "optspec" and "spec" under `_arguments` in the manual page
    /// zshcompsys.
    private func specifications(_ declaration: ElementDeclaration) -> [String] {
        let message = backslashed(declaration.placeholder, ":\\")
        let value = ":\(message):\(action(declaration.completion))"
        if declaration.isArgument {
            return [shellQuoted((declaration.isRepeatable ? "*" : declaration.isRequired ? "" : ":") + value)]
        }
        let meaning = backslashed(oneLine(declaration.help), "[]:\\")
        let exclusion = declaration.isRepeatable ? "*" : "(\(declaration.spellings.joined(separator: " ")))"
        return declaration.spellings.map { spelling in
            let attachment = declaration.takesValue ? (spelling.hasPrefix("--") ? "=" : "+") : ""
            return shellQuoted(
                "\(exclusion)\(spelling)\(attachment)[\(meaning)]\(declaration.takesValue ? value : "")")
        }
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .choice(let words): "compadd - \(list(words))"
        case .list(let words): "_sequence -s , compadd - \(list(words))"
        case .printed(let arguments):
            "compadd - ${(f)\"$(\(list([tool] + arguments)) 2>/dev/null)\"}"
        }
    }

    /// Returns words within an action, where a backslash may only precede a colon.
    private func list(_ words: [String]) -> String {
        let quoted = words.map { word in
            "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'"'"'"#))'"
        }
        return backslashed(quoted.joined(separator: " "), ":")
    }

    private func function(_ words: [String]) -> String {
        "_" + ([tool] + words).map(functionName(_:)).joined(separator: "__")
    }

    private func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
