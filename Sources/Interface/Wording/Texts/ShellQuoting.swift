import ByteText
package import SystemIO

/// The quoting of paths for a shell.
package enum ShellQuoting {
    /// Returns a path as one word.
    package static func quote(_ path: BytePath) -> TerminalText {
        // A word that starts with a hyphen is an option even in quotes.
        if path.hasPrefix("-") { return quote("./" + path) }
        let isPlain = path.bytes.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2e, 0x2f, 0x5f, 0x2d].contains(byte)
        }
        if isPlain, !path.isEmpty { return "\(path)" }
        guard let text = path.text, isPrintable(text) else { return escape(path) }
        return "\(shellQuoted(text))"
    }

    /// Returns whether the filter leaves the text unchanged.
    private static func isPrintable(_ text: String) -> Bool { TerminalText(escaping: text).text == text }

    /// Returns a word in the form `$'...'` of bash and zsh, with escapes for characters that must not reach a terminal.
    private static func escape(_ path: BytePath) -> TerminalText {
        var word: TerminalText = "$'"
        for character in path.characters {
            if let text = character.text, isPrintable(text) {
                word += ["'", "\\"].contains(text) ? "\\\(text)" : "\(text)"
            } else {
                for byte in character.bytes {
                    word += byte == 10 ? "\\n" : "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
                }
            }
        }
        return word + "'"
    }
}
