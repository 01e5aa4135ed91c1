public import ByteText

/// Arguments that do not follow the grammar: what is wrong, and what to do about it.
public struct UsageError: ClassifiedError, Equatable, Sendable {
    /// The kinds of mistakes.
    public enum Code: Sendable {
        /// A command is missing.
        case missingCommand
        /// No command has this name.
        case unknownCommand
        /// Neither a command nor a topic of the manual has this name.
        case unknownTopic
        /// The command has no such option.
        case unknownOption
        /// An option that takes one value was given twice.
        case repeatedOption
        /// An option that takes a value has none.
        case missingValue
        /// An option that takes no value was given one.
        case unexpectedValue
        /// The value of an option or argument is not valid.
        case invalidValue
        /// A required option is missing.
        case missingOption
        /// A required argument is missing.
        case missingArgument
        /// There are more arguments than the command takes.
        case surplusArgument
        /// Options or arguments that are valid by themselves cannot be combined.
        case invalidCombination
    }

    /// The kind of mistake.
    public var code: Code
    /// What is wrong, in lower case, naming the token it is about.
    public var message: String
    /// What to do next; errors from parsing always have one.
    public var hint: String

    /// Creates an error from its parts.
    public init(_ code: Code, _ message: String, hint: String = "") {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension UsageError {
    /// What it means.
    public var kind: ErrorKind { .usage }
}
