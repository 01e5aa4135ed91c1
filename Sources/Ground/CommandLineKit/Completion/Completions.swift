/// The ways in which a word may go on.
struct Completions {
    /// What completes a word; the raw values are the first line of an answer to a shell.
    enum Kind: String {
        case words
        case files
        case folders
    }

    let kind: Kind
    /// The complete words, each with a meaning, which may be empty.
    let candidates: [(word: String, meaning: String)]

    init(kind: Kind = .words) {
        self.kind = kind
        candidates = []
    }

    /// Creates completions from those words that begin with `current`; `beginning` is what precedes it in the word.
    init(_ words: [(word: String, meaning: String)], of current: String, after beginning: String = "") {
        kind = .words
        candidates = words.filter { word, _ in
            word.utf8.starts(with: current.utf8) && !word.unicodeScalars.contains(where: \.controlsTerminal)
        }.map { (beginning + $0.word, $0.meaning) }
    }

    /// Returns the answer to a shell's script: the kind, then a line for each word.
    func answer(to shell: CompletionShell, _ line: ShellLine) -> String {
        let lines = candidates.map { word, meaning in
            let meaning = meaning.split(whereSeparator: \.isNewline).joined(separator: " ")
            return switch shell {
            case .bash: escapedForShell(line.remainder(of: word))
            case .zsh: backslashed(word) { $0 == ":" || $0 == "\\" } + (meaning.isEmpty ? "" : ":\(meaning)")
            case .fish: meaning.isEmpty ? word : "\(word)\t\(meaning)"
            }
        }
        return ([kind.rawValue] + lines).map { $0 + "\n" }.joined()
    }
}

/// The words up to the cursor, as a shell hands them over.
struct ShellLine {
    /// The words before the one that is being written.
    let words: ArraySlice<String>
    /// The word that is being written.
    let current: String
    /// The part of it that the shell leaves alone when it replaces the word.
    private let kept: String

    /// Joins the pieces of words.
    ///
    /// Bash splits words at "=" and ":", unless it was configured otherwise, and replaces only the last piece:
    /// `--types=group:he` arrives in five pieces.
    init(_ pieces: [String], from shell: CompletionShell) {
        var words: [String] = []
        for piece in pieces {
            if shell == .bash, let last = words.last, Self.continues(last, with: piece) {
                words[words.count - 1] += piece
            } else {
                words.append(piece)
            }
        }
        current = words.last ?? ""
        self.words = words.dropLast()
        let last = pieces.last ?? ""
        kept = String(current.dropLast(last == "=" || last == ":" ? 0 : last.count))
    }

    private static func continues(_ word: String, with piece: String) -> Bool {
        piece.hasPrefix(":") || word.hasSuffix(":")
            || (word.hasPrefix("--") && (word.hasSuffix("=") || piece == "="))
    }

    /// Returns what the shell must put in place of the last piece.
    func remainder(of word: String) -> String {
        word.hasPrefix(kept) ? String(word.dropFirst(kept.count)) : word
    }
}

/// Returns the text with a backslash before everything that means something else in bash.
func escapedForShell(_ text: String) -> String { backslashed(text) { !isPlain($0) } }

/// Returns whether a scalar means itself in bash.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "_-./:=@%+,".unicodeScalars.contains(scalar)
}

/// Returns the text with a backslash before these scalars; a combining mark after one does not hide it.
private func backslashed(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.map { isSpecial($0) ? "\\\($0)" : "\($0)" }.joined()
}
