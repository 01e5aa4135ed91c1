/// The completion script for fish: one line for every command, option and argument, each with its condition.
struct FishCompletion {
    private let tool: String
    private let catalog: CommandCatalog
    private let function: String

    init(tool: String, catalog: CommandCatalog) {
        self.tool = tool
        self.catalog = catalog
        function = "__\(functionName(tool))_at"
    }

    var script: String {
        let lines = ([[]] + catalog.families).flatMap(family(_:)) + catalog.outlines.flatMap(command(_:))
        return """
            # fish completion for \(tool), generated from its grammar

            \(condition)

            complete -c \(fishQuoted(tool)) -f
            \(lines.joined(separator: "\n"))

            """
    }

    /// The function that checks whether the words before the cursor are at a command and, if asked, at its n-th
    /// argument.
    private var condition: String {
        let known = catalog.families.map { $0.joined(separator: " ") } + catalog.outlines.map(\.name)
        let taking = catalog.outlines.flatMap { outline in
            outline.options.filter(\.takesValue).flatMap(\.spellings).map { "\(outline.name) \($0)" }
        }
        return """
            function \(function) --argument-names wanted argument
                set -l known \(list(known))
                set -l taking \(list(taking))
                set -l command ''
                set -l count 0
                set -l skip 0
                set -l ended 0
                for word in (commandline -opc)[2..-1]
                    set -l next (string trim -- "$command $word")
                    if test $skip = 1
                        set skip 0
                    else if test $ended = 0; and test "$word" = --
                        set ended 1
                    else if test $ended = 0; and test "$word" != -; and string match -q -- '-*' $word
                        contains -- "$command $word" $taking; and set skip 1
                    else if contains -- $next $known
                        set command $next
                    else
                        set count (math $count + 1)
                    end
                end
                test "$command" = "$wanted"; or return 1
                test -z "$argument"; and return 0
                test $count -ge (string replace -- + '' $argument); or return 1
                test $count = $argument; or string match -q -- '*+' $argument
            end
            """
    }

    private func family(_ words: [String]) -> [String] {
        let name = words.joined(separator: " ")
        let options = words.isEmpty ? [ElementDeclaration.help, .version] : [.help]
        let commands = catalog.choices(after: words).map { choice in
            let meaning = description(catalog.meaning(of: words + [choice]))
            return line(at: name, "0", "-a \(offered([choice])) -d \(meaning)")
        }
        return commands + options.map { line(at: name, nil, option($0)) }
    }

    private func command(_ outline: CommandOutline) -> [String] {
        let arguments = outline.arguments.enumerated().compactMap { index, argument in
            argument.completion == .none
                ? nil
                : line(
                    at: outline.name, argument.isRepeatable ? "\(index)+" : "\(index)",
                    completion(argument.completion))
        }
        return arguments + outline.options.map { line(at: outline.name, nil, option($0)) }
    }

    private func line(at command: String, _ argument: String?, _ rest: String) -> String {
        let condition = ([function, fishQuoted(command)] + [argument].compactMap(\.self)).joined(
            separator: " ")
        return "complete -c \(fishQuoted(tool)) -n \(fishQuoted(condition)) \(rest)"
    }

    private func option(_ declaration: ElementDeclaration) -> String {
        var parts: [String] = []
        if let short = declaration.short { parts.append("-s \(fishQuoted(String(short)))") }
        parts.append("-l \(fishQuoted(declaration.name)) -d \(description(declaration.help))")
        if declaration.takesValue { parts.append("-r \(completion(declaration.completion))") }
        return parts.joined(separator: " ")
    }

    private func completion(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: "-f"
        case .files: "-F"
        case .folders: "-f -a '(__fish_complete_directories)'"
        case .choice(let words): "-f -a \(offered(words))"
        case .list(let words): "-f -a \(fishQuoted("(__fish_append , \(list(words)))"))"
        case .printed(let arguments): "-f -a \(fishQuoted("(\(list([tool] + arguments)) 2>/dev/null)"))"
        }
    }

    /// Returns words to offer, quoted twice because fish splits the argument of `-a` into words again.
    private func offered(_ words: [String]) -> String {
        fishQuoted(list(words))
    }

    private func list(_ words: [String]) -> String {
        words.map(fishQuoted).joined(separator: " ")
    }

    private func description(_ text: String) -> String {
        fishQuoted(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
