import ByteText

/// The messages of all usage errors; the caller adds "see '... --help'" to those without a hint.
extension UsageError {
    static func unknownOption(_ spelling: String, among declarations: [ElementDeclaration]) -> Self {
        let names = declarations.filter { !$0.isArgument && $0.refusal == nil }.map(\.longSpelling)
        return Self(
            .unknownOption, "unknown option \(quoted(spelling))",
            hint: suggestion(for: spelling, among: names))
    }

    /// Reports an unknown short option in `argument`, which may bundle several or be a long one with a dash missing.
    static func unknownOption(
        _ spelling: String, in argument: String, among declarations: [ElementDeclaration]
    ) -> Self {
        let place = argument == spelling ? "" : " in \(quoted(argument))"
        let meant = declarations.first { !$0.isArgument && $0.longSpelling == "-\(argument)" }
        return Self(
            .unknownOption, "unknown option \(quoted(spelling))\(place)",
            hint: meant.map { "did you mean \(quoted($0.longSpelling))?" } ?? "")
    }

    static func repeatedOption(_ declaration: ElementDeclaration, writtenAs spelling: String) -> Self {
        let other = spelling == declaration.longSpelling ? "" : " (\(declaration.longSpelling))"
        return Self(.repeatedOption, "option \(quoted(spelling))\(other) was given more than once")
    }

    static func missingValue(of spelling: String) -> Self {
        Self(.missingValue, "option \(quoted(spelling)) requires a value")
    }

    static func missingValue(of spelling: String, before next: String, attachedBy separator: String) -> Self {
        Self(
            .missingValue, "option \(quoted(spelling)) requires a value",
            hint: "if \(quoted(next)) is the value, write \(quoted(spelling + separator + next))")
    }

    static func unexpectedValue(_ value: String, of spelling: String) -> Self {
        Self(.unexpectedValue, "option \(quoted(spelling)) takes no value, but got \(quoted(value))")
    }

    static func invalidValue(
        _ rejected: RejectedValue, of declaration: ElementDeclaration, writtenAs spelling: String
    ) -> Self {
        let subject = declaration.isArgument ? "argument \(spelling)" : "option \(quoted(spelling))"
        return Self(
            .invalidValue, "\(subject) takes \(declaration.expected), not \(quoted(rejected.part))",
            hint: suggestion(for: rejected.part, among: declaration.completion.words))
    }

    static func missingOption(_ declaration: ElementDeclaration) -> Self {
        Self(.missingOption, "missing required option \(quoted(declaration.longSpelling))")
    }

    static func missingArgument(_ declaration: ElementDeclaration) -> Self {
        guard declaration.actions.isEmpty else {
            let words = declaration.actions.map(\.word).joined(separator: ", ")
            return Self(.missingArgument, "missing \(declaration.name): one of \(words)")
        }
        return Self(.missingArgument, "missing argument \(declaration.name)")
    }

    /// Reports an argument that the command does not take, most likely the name of the output.
    static func surplusArgument(_ text: String, among declarations: [ElementDeclaration]) -> Self {
        let output = declarations.first { $0.takesValue && $0.name == "output" }?.spellings.first
        return Self(
            .surplusArgument, "unexpected argument \(quoted(text))",
            hint: output.map { "did you mean \(quoted("\($0) \(text)"))?" } ?? "")
    }

    /// Reports an option that only other actions of the command take.
    static func foreignOption(
        _ spelling: String, in action: String, among declarations: [ElementDeclaration]
    ) -> Self {
        let takers = declarations.filter { !$0.isArgument && $0.spellings.contains(spelling) }
            .flatMap { $0.takers ?? [] }.joined(separator: ", ")
        return Self(.invalidCombination, "\(quoted(action)) takes no \(spelling), which is for \(takers)")
    }

    /// Reports an option that makes sense elsewhere, but not here.
    static func refusedOption(_ spelling: String, _ reason: String) -> Self {
        Self(.unknownOption, "\(spelling) does not work here: \(reason)")
    }

    static var missingCommand: Self { Self(.missingCommand, "missing command") }

    static func unknownCommand(_ name: String, among names: [String]) -> Self {
        Self(.unknownCommand, "unknown command \(quoted(name))", hint: suggestion(for: name, among: names))
    }

    static func unknownTopic(_ words: [String], among names: [String]) -> Self {
        let name = words.joined(separator: " ")
        return Self(
            .unknownTopic, "no command or topic named \(quoted(name))",
            hint: suggestion(for: name, among: names))
    }

    /// Returns the error with this hint, unless it already has one.
    func hinting(_ usual: String) -> Self {
        Self(code, message, hint: hint.isEmpty ? usual : hint)
    }

    private static func suggestion(for text: String, among spellings: [String]) -> String {
        closestSpelling(to: text, among: spellings).map { "did you mean \(quoted($0))?" } ?? ""
    }
}

/// Returns the token in quotes, with control characters escaped so that it cannot control a terminal.
func quoted(_ token: String) -> String {
    var text = "'"
    for scalar in token.unicodeScalars {
        text += scalar.controlsTerminal ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return text + "'"
}

extension Unicode.Scalar {
    /// Whether it could control a terminal.
    var controlsTerminal: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
