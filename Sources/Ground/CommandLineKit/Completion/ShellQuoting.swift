/// Returns the text quoted as one word for a POSIX shell, bash or zsh.
public func shellQuoted(_ text: String) -> String {
    "'" + escaped(text, characters: "'") { _ in "'\\''" } + "'"
}

/// Returns the text quoted as one word for fish.
func fishQuoted(_ text: String) -> String {
    "'" + escaped(text, characters: "'\\") { "\\\($0)" } + "'"
}

/// Returns the text with these characters escaped by a backslash.
func backslashed(_ text: String, _ characters: String) -> String {
    escaped(text, characters: characters) { "\\\($0)" }
}

/// Returns the name of a tool or command for use in the name of a shell function.
func functionName(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}

/// Escapes scalars, so that a combining mark after a quote does not hide it.
private func escaped(_ text: String, characters: String, as escape: (Unicode.Scalar) -> String) -> String {
    text.unicodeScalars.map { scalar in
        characters.unicodeScalars.contains(scalar) ? escape(scalar) : String(scalar)
    }.joined()
}
