/// Returns the text quoted as one word for a shell.
public func shellQuoted(_ text: String) -> String {
    // Split scalars, so that a combining mark after a quote does not hide it.
    "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
}
