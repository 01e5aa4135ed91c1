/// A scanner that splits arguments into options with their values and positionals, like GNU's `getopt_long`.
struct ArgumentScanner {
    enum Token: Equatable {
        /// The option at this index of the declarations, as it was written; the value is empty if it takes none.
        case option(Int, spelling: String, value: String)
        /// An argument that is not an option, and its index among the arguments.
        case positional(String, at: Int)
    }

    private let arguments: [String]
    private let declarations: [ElementDeclaration]
    private var position = 0
    private var optionsEnded = false
    /// The short options of `-abc` that have not been read yet.
    private var bundle: Substring = ""

    init(_ arguments: [String], declarations: [ElementDeclaration]) {
        self.arguments = arguments
        self.declarations = declarations
    }

    /// Returns the next token, nil at the end.
    mutating func next() throws(UsageError) -> Token? {
        if !bundle.isEmpty { return try shortOption() }
        guard position < arguments.count else { return nil }
        let argument = arguments[position]
        position += 1
        if optionsEnded || argument == "-" || !argument.startsWithDash {
            return .positional(argument, at: position - 1)
        }
        if argument == "--" {
            optionsEnded = true
            return try next()
        }
        bundle = Substring(argument.unicodeScalars.dropFirst())
        guard bundle.startsWithDash else { return try shortOption() }
        bundle = ""
        return try longOption(argument)
    }

    private mutating func longOption(_ argument: String) throws(UsageError) -> Token {
        // Search bytes, because a value may begin with a mark that combines with the "=" into one character.
        let separator = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        let spelling = String(argument[..<(separator ?? argument.endIndex)])
        guard let index = index(of: spelling) else {
            throw .unknownOption(spelling, among: declarations)
        }
        if let reason = declarations[index].refusal { throw .refusedOption(spelling, reason) }
        let attached = separator.map { String(argument[argument.utf8.index(after: $0)...]) }
        if declarations[index].takesValue {
            let value =
                if let attached { attached } else { try followingValue(of: spelling, attachedBy: "=") }
            return .option(index, spelling: spelling, value: value)
        }
        if let attached { throw .unexpectedValue(attached, of: spelling) }
        return .option(index, spelling: spelling, value: "")
    }

    private mutating func shortOption() throws(UsageError) -> Token {
        let spelling = "-\(bundle.removeFirst())"
        guard let index = index(of: spelling) else {
            throw .unknownOption(spelling, in: arguments[position - 1], among: declarations)
        }
        guard declarations[index].takesValue else { return .option(index, spelling: spelling, value: "") }
        let attached = String(bundle)
        bundle = ""
        let value = try attached.isEmpty ? followingValue(of: spelling, attachedBy: "") : attached
        return .option(index, spelling: spelling, value: value)
    }

    private mutating func followingValue(
        of spelling: String, attachedBy separator: String
    ) throws(UsageError) -> String {
        guard position < arguments.count else { throw .missingValue(of: spelling) }
        let value = arguments[position]
        guard value == "-" || !value.startsWithDash else {
            throw .missingValue(of: spelling, before: value, attachedBy: separator)
        }
        position += 1
        return value
    }

    private func index(of spelling: String) -> Int? {
        declarations.firstIndex { !$0.isArgument && $0.spellings.contains(spelling) }
    }
}

extension StringProtocol {
    fileprivate var startsWithDash: Bool { utf8.first == UInt8(ascii: "-") }
}
