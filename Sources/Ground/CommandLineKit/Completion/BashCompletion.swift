/// The completion script for bash.
///
/// The grammar becomes four lookup functions; the walk over the words is the same for every tool. Candidates are
/// compared in a loop and not with `compgen -W`, which would expand them.
struct BashCompletion {
    private let tool: String
    private let catalog: CommandCatalog
    private let function: String

    init(tool: String, catalog: CommandCatalog) {
        self.tool = tool
        self.catalog = catalog
        function = "_\(functionName(tool))"
    }

    var script: String {
        """
        # bash completion for \(tool), generated from its grammar

        # The words that may come after these command words.
        \(function)_commands() {
            case $1 in
        \(commandCases)
                *) return 1 ;;
            esac
        }

        # The options of a command.
        \(function)_options() {
            case $1 in
        \(optionCases)
            esac
        }

        # What the value of a command's option is; fails for an option without a value.
        \(function)_value() {
            case $1/$2 in
        \(valueCases)
                *) return 1 ;;
            esac
        }

        # What the argument of a command at this index is.
        \(function)_argument() {
            case $1/$2 in
        \(argumentCases)
            esac
        }

        \(walk)
        complete -F \(function) \(shellQuoted(tool))

        """
    }

    private var commandCases: String {
        lines(
            ([[]] + catalog.families).map { words in
                "\(shellQuoted(words.joined(separator: " "))))"
                    + " candidates=(\(list(catalog.choices(after: words)))) ;;"
            })
    }

    private var optionCases: String {
        let leading = [ElementDeclaration.help, .version].flatMap(\.spellings)
        let top = "*) candidates=(\(list(leading))) ;;"
        return lines(
            catalog.outlines.map { outline in
                "\(shellQuoted(outline.name))) candidates=(\(list(outline.options.flatMap(\.spellings)))) ;;"
            } + [top])
    }

    private var valueCases: String {
        var cases: [String] = []
        for outline in catalog.outlines {
            for option in outline.options where option.takesValue {
                let patterns = option.spellings.map { shellQuoted("\(outline.name)/\($0)") }
                cases.append("\(patterns.joined(separator: " | "))) \(assignment(option.completion)) ;;")
            }
        }
        let leading = catalog.leadingDeclarations.filter(\.takesValue).flatMap(\.spellings)
        cases += Set(leading).sorted().map { "\(shellQuoted("/\($0)"))) kind=none ;;" }
        return lines(cases)
    }

    private var argumentCases: String {
        var cases: [String] = []
        for outline in catalog.outlines {
            for (index, argument) in outline.arguments.enumerated() where argument.completion != .none {
                let pattern =
                    argument.isRepeatable
                    ? "\(shellQuoted("\(outline.name)/"))*" : shellQuoted("\(outline.name)/\(index)")
                cases.append("\(pattern)) \(assignment(argument.completion)) ;;")
            }
        }
        return lines(cases)
    }

    private func assignment(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: "kind=none"
        case .files: "kind=files"
        case .folders: "kind=folders"
        case .choice(let words): "kind=choice candidates=(\(list(words)))"
        case .list(let words): "kind=list candidates=(\(list(words)))"
        case .printed(let arguments): "kind=printed printer=(\(list(arguments)))"
        }
    }

    private func list(_ words: [String]) -> String {
        words.map(shellQuoted).joined(separator: " ")
    }

    private func lines(_ cases: [String]) -> String {
        cases.map { "        \($0)" }.joined(separator: "\n")
    }
}

extension BashCompletion {
    /// The function that reads the words before the cursor and offers what may come next.
    ///
    /// Bash splits words at "=" and ":", so `--name=value` arrives as three words. Words around a colon are
    /// rejoined; the reply leaves out everything up to the last colon, because bash replaces only what follows it.
    private var walk: String {
        #"""
        \#(function)() {
            local tool=$1 current command='' option='' kind='' prefix='' stem='' word
            local ended='' joined='' at=-1 count=0
            local -a candidates=() words=() printer=()
            COMPREPLY=()
            for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
                if ((at >= 0)) && [[ $word == :* || ${words[at]} == *: ]]; then
                    words[at]+=$word
                else
                    words[++at]=$word
                fi
            done
            current=${words[at]}
            [[ $COMP_WORDBREAKS != *:* ]] || stem=${current%"${current##*:}"}
            for word in "${words[@]:0:at}"; do
                if [[ $joined ]]; then
                    joined=''
                elif [[ $word == = ]]; then
                    [[ $option ]] || joined=1
                elif [[ $option ]]; then
                    option=''
                elif [[ $ended || $word == - || $word != -* ]]; then
                    if \#(function)_commands "$command"; then
                        command=${command:+$command }$word
                    else
                        ((++count))
                    fi
                elif [[ $word == -- ]]; then
                    ended=1
                elif [[ $word == --* ]]; then
                    \#(function)_value "$command" "$word" && option=$word
                else
                    for ((at = 1; at < ${#word}; at++)); do
                        if \#(function)_value "$command" "-${word:at:1}"; then
                            ((at + 1 < ${#word})) || option=-${word:at:1}
                            break
                        fi
                    done
                fi
            done
            if [[ $joined ]] || [[ $current == = && ! $option ]]; then
                return
            elif [[ $current == = ]]; then
                current=''
            elif [[ ! $option && ! $ended && $current == --*=* ]]; then
                option=${current%%=*} prefix=${current%%=*}= current=${current#*=}
            fi
            candidates=() kind=''
            if [[ $option ]]; then
                \#(function)_value "$command" "$option"
            elif [[ ! $ended && $current == -* ]]; then
                kind=choice
                \#(function)_options "$command"
            elif \#(function)_commands "$command"; then
                kind=choice
            else
                \#(function)_argument "$command" "$count"
            fi
            case $kind in
                files) compopt -o default 2>/dev/null ;;
                folders) compopt -o dirnames 2>/dev/null ;;
                list) prefix+=${current%"${current##*,}"} current=${current##*,} ;;
                printed) mapfile -t candidates < <("$tool" "${printer[@]}" 2>/dev/null) ;;
            esac
            for word in "${candidates[@]}"; do
                [[ $word == "$current"* ]] || continue
                printf -v word %q "$word"
                word=$prefix$word
                COMPREPLY+=("${word#"$stem"}")
            done
        }
        """#
    }
}
