extension GrammarElement {
    /// An option with a typed value, nil if it is not given.
    public static func option<Value>(
        _ setting: Setting<Value?>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        let declaration = optionDeclaration(name, short, value, help, parser, isRequired: required)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// An option with a typed value that keeps its default if it is not given.
    public static func option<Value>(
        _ setting: Setting<Value>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        let declaration = optionDeclaration(name, short, value, help, parser, isRequired: required)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// An option with a typed value that may be given several times; each is added to the property, in order.
    public static func repeatedOption<Value>(
        _ setting: Setting<[Value]>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, _ help: String, as parser: ValueParser<Value>
    ) -> Self {
        var declaration = optionDeclaration(name, short, value, help, parser, isRequired: required)
        declaration.isRepeatable = true
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting].append(try parser.convert(text))
        }
    }

    private static func optionDeclaration<Value>(
        _ name: String, _ short: Character?, _ placeholder: String, _ help: String,
        _ parser: ValueParser<Value>,
        isRequired: Bool
    ) -> ElementDeclaration {
        ElementDeclaration(
            form: .option, name: name, short: short, placeholder: placeholder, help: help,
            isRequired: isRequired,
            expected: parser.expected, completion: parser.completion)
    }
}
