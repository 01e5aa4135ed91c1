extension GrammarElement {
    /// A required argument, as text.
    public static func argument(_ setting: Setting<String>, _ name: String, _ help: String) -> Self {
        argument(setting, name, help, as: .text)
    }

    /// A required argument with a typed value.
    public static func argument<Value>(
        _ setting: Setting<Value>, _ name: String, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        let declaration = argumentDeclaration(name, help, parser, isRequired: true)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// A required argument with a typed value, for a property that other actions leave nil.
    public static func argument<Value>(
        _ setting: Setting<Value?>, _ name: String, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        let declaration = argumentDeclaration(name, help, parser, isRequired: true)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// An optional argument, as text.
    public static func optionalArgument(_ setting: Setting<String?>, _ name: String, _ help: String) -> Self {
        optionalArgument(setting, name, help, as: .text)
    }

    /// An optional argument with a typed value; it follows all required ones.
    public static func optionalArgument<Value>(
        _ setting: Setting<Value?>, _ name: String, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        let declaration = argumentDeclaration(name, help, parser, isRequired: false)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// The first argument of a command that does several things: the action, each with a sentence on what it does.
    ///
    /// `only(for:_:)` declares what only some of them take.
    public static func action<Action: CaseIterable & RawRepresentable<String> & Sendable>(
        _ setting: Setting<Action>, _ meanings: [(action: Action, meaning: String)]
    ) -> Self {
        let parser = ValueParser<Action>.choice(among: meanings.map(\.action))
        var declaration = argumentDeclaration("ACTION", "what to do", parser, isRequired: true)
        declaration.actions = meanings.map {
            ElementDeclaration.Action(word: $0.action.rawValue, meaning: $0.meaning)
        }
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// Any number of arguments, with typed values; with `required` at least one, and then required ones may follow.
    public static func repeatedArgument<Value>(
        _ setting: Setting<[Value]>, _ name: String, required: Bool = false, _ help: String,
        as parser: ValueParser<Value>
    ) -> Self {
        var declaration = argumentDeclaration(name, help, parser, isRequired: required)
        declaration.isRepeatable = true
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting].append(try parser.convert(text))
        }
    }

    private static func argumentDeclaration<Value>(
        _ name: String, _ help: String, _ parser: ValueParser<Value>, isRequired: Bool
    ) -> ElementDeclaration {
        ElementDeclaration(
            form: .argument, name: name, placeholder: name, help: help, isRequired: isRequired,
            expected: parser.expected, completion: parser.completion)
    }
}
