extension GrammarElement {
    /// An option with a typed value, nil if it is not given.
    ///
    /// - Parameters:
    ///   - setting: The property that the value is assigned to.
    ///   - name: The long name, without dashes.
    ///   - short: The short name.
    ///   - value: The placeholder for the value in help: `PATH`.
    ///   - required: Whether the command is rejected without it.
    ///   - defaultText: The default value, as shown in help.
    ///   - help: What it does.
    ///   - parser: Converts the value.
    public static func option<Value>(
        _ setting: Setting<Value?>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, default defaultText: String? = nil, _ help: String,
        as parser: ValueParser<Value>
    ) -> Self {
        let declaration = optionDeclaration(
            name, short, value, help, parser, isRequired: required, defaultText: defaultText)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// An option with a typed value that keeps its default if it is not given.
    public static func option<Value>(
        _ setting: Setting<Value>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, default defaultText: String? = nil, _ help: String,
        as parser: ValueParser<Value>
    ) -> Self {
        let declaration = optionDeclaration(
            name, short, value, help, parser, isRequired: required, defaultText: defaultText)
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting] = try parser.convert(text)
        }
    }

    /// An option with a typed value that may be given several times; each is added to the property, in order.
    public static func repeatedOption<Value>(
        _ setting: Setting<[Value]>, _ name: String, short: Character? = nil, value: String,
        required: Bool = false, default defaultText: String? = nil, _ help: String,
        as parser: ValueParser<Value>
    ) -> Self {
        var declaration = optionDeclaration(
            name, short, value, help, parser, isRequired: required, defaultText: defaultText)
        declaration.isRepeatable = true
        return Self(declaration) { (settings, text) throws(RejectedValue) in
            settings[keyPath: setting].append(try parser.convert(text))
        }
    }

    private static func optionDeclaration<Value>(
        _ name: String, _ short: Character?, _ placeholder: String, _ help: String,
        _ parser: ValueParser<Value>, isRequired: Bool, defaultText: String?
    ) -> ElementDeclaration {
        ElementDeclaration(
            form: .option, name: name, short: short, placeholder: placeholder, help: help,
            isRequired: isRequired, expected: parser.expected, completion: parser.completion,
            defaultText: defaultText)
    }
}
