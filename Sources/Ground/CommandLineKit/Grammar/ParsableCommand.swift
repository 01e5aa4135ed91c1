/// A command as a plain value: its stored properties are its settings, its grammar defines how they are written.
///
/// `init()` creates the value with all defaults; parsing assigns what was given through the grammar's key paths.
/// The property of a required option or argument may have any initial value, because a command that lacks a
/// required element is never returned.
public protocol ParsableCommand: Sendable {
    /// Creates the command with its default settings.
    init()

    /// The command's name, options and arguments.
    static var grammar: CommandGrammar<Self> { get }

    /// Checks what no single element can: options that exclude or require one another.
    ///
    /// Called once, after everything is assigned. An error with an empty hint gets the default one.
    func validate() throws(UsageError)
}

extension ParsableCommand {
    /// Accepts every combination.
    public func validate() throws(UsageError) {}
}
