package import CommandLineKit
package import SystemIO

/// The check of output names.
package enum OutputName {
    /// Checks the name of an output.
    ///
    /// - Parameters:
    ///   - isArchive: Whether the output is an encrypted archive, or the command checks that itself.
    ///   - option: The option that names the output.
    /// - Throws: `UsageError` for `-`, which elsewhere means a stream: a file with that name is never intended; and for the
    ///   name of an archive, because nothing else may look as if it were encrypted.
    package static func validate(
        _ name: BytePath?, isArchive: Bool = false, option: String = "-o",
        hint: String = "use the name of a file or folder; ./- is a file named '-'"
    ) throws(UsageError) {
        guard name != "-" else {
            throw UsageError(
                .invalidCombination, "\(option) - is not possible: the output cannot be a stream",
                hint: hint)
        }
        guard let name, !isArchive, name.withoutTrailingSlashes.hasExtension(".hvault") else { return }
        throw UsageError(
            .invalidCombination, "'\(name)' looks like an encrypted archive, but is not going to be one",
            hint: "choose another name")
    }
}
