/// A command as a plain value: its stored properties are its settings, its grammar says how they are written.
///
/// `init()` makes the value with all defaults; parsing assigns what was given through the grammar's key paths.
/// A property of a required option or argument may start with any placeholder, since no command with a
/// required element missing is ever handed out.
public protocol ParsableCommand: Sendable {
    /// Makes the command as it is when nothing is given.
    init()

    /// How the command is called, and with what.
    static var grammar: CommandGrammar<Self> { get }

    /// Checks what no single element can: options that exclude or need one another.
    ///
    /// Called once after everything is assigned. An error with an empty hint gets the usual one.
    func validate() throws(UsageError)
}

extension ParsableCommand {
    /// Accepts every combination.
    public func validate() throws(UsageError) {}
}
