package import CommandLineKit
package import SystemIO

/// The check of output names.
package enum OutputName {
    /// Checks the name of an output.
    ///
    /// - Throws: `UsageError` for `-`, which elsewhere means a stream: a file with that name is never intended.
    package static func validate(
        _ name: BytePath?, option: String = "-o",
        hint: String = "use the name of a file or folder; ./- is a file named '-'"
    ) throws(UsageError) {
        guard name == "-" else { return }
        throw UsageError(
            .invalidCombination, "\(option) - is not possible: the output cannot be a stream",
            hint: hint)
    }
}
