/// A parser that converts the text of an option or argument, and declares what it expects and how to complete it.
public struct ValueParser<Value>: Sendable {
    /// A description of valid values, to follow "takes": `a whole number of at least 1`.
    public let expected: String
    /// The completions that a shell may offer.
    public let completion: ValueCompletion
    let convert: @Sendable (String) throws(RejectedValue) -> Value

    /// Creates a parser from a closure that returns nil for text that it does not accept.
    public init(
        expected: String, completion: ValueCompletion = .none, _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(expected: expected, completion: completion) { (text) throws(RejectedValue) in
            guard let value = parse(text) else { throw RejectedValue(part: text) }
            return value
        }
    }

    init(
        expected: String, completion: ValueCompletion,
        convert: @escaping @Sendable (String) throws(RejectedValue) -> Value
    ) {
        self.expected = expected
        self.completion = completion
        self.convert = convert
    }
}

/// The completions that a shell may offer for a value.
public enum ValueCompletion: Sendable {
    /// Nothing.
    case none
    /// The names of files and folders.
    case files
    /// The names of folders.
    case folders
    /// One of these words, which are computed when they are needed.
    case choice(@autoclosure @Sendable () -> [String])
    /// One or more of these words, with commas between them; they are computed when they are needed.
    case list(@autoclosure @Sendable () -> [String])
    /// One of the names that the closure returns when a shell asks for them.
    case names(@Sendable () -> [String])

    /// The words to choose from, if there are any.
    var words: [String] {
        switch self {
        case .none, .files, .folders, .names: []
        case .choice(let words), .list(let words): words()
        }
    }
}

/// The part of a value that its parser rejects.
struct RejectedValue: Error {
    var part: String
}
