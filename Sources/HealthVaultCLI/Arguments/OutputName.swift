import CommandLineKit
import SystemIO

/// What may be given as the name of something to make.
enum OutputName {
    /// - Throws: `UsageError` for `-`, which elsewhere means a stream: a file of that name is nothing that anybody wants.
    static func validate(
        _ name: BytePath?, hint: String = "give the name of a file or folder; ./- is a file called '-'"
    ) throws(UsageError) {
        guard name == "-" else { return }
        throw UsageError(
            .invalidCombination, "-o - is not possible: it is made under its name, not as a stream",
            hint: hint)
    }
}
