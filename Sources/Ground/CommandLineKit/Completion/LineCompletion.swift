/// How the line at a tool's own prompt may go on.
public struct LineCompletion: Sendable, Equatable {
    /// The text to insert at the end of the line: what all candidates have in common, and a space after the only one.
    public let insertion: String
    /// The words to choose from, if there are several and nothing more is common to them.
    public let choices: [String]

    init(_ candidates: [String], of current: String, in open: Unicode.Scalar?) {
        guard let first = candidates.first else {
            insertion = ""
            choices = []
            return
        }
        var common = first
        for candidate in candidates.dropFirst() { common = common.commonPrefix(with: candidate) }
        let rest = String(common.unicodeScalars.dropFirst(current.unicodeScalars.count))
        let isOnly = candidates.count == 1
        var text = Self.quoted(rest, in: open)
        if isOnly, !common.hasSuffix("=") {
            if let open { text.unicodeScalars.append(open) }
            text += " "
        }
        insertion = text
        choices = isOnly || !rest.isEmpty ? [] : candidates
    }
}

extension LineCompletion {
    /// Returns what is typed for a text behind an open quotation mark.
    private static func quoted(_ text: String, in open: Unicode.Scalar?) -> String {
        guard let open else { return escapedForShell(text) }
        return text.unicodeScalars.map { scalar in
            if open == "'" { return scalar == open ? "'\\''" : "\(scalar)" }
            return scalar == open || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
        }.joined()
    }
}

extension String {
    /// Returns the scalars that both begin with.
    fileprivate func commonPrefix(with other: String) -> String {
        var common = UnicodeScalarView()
        for (one, another) in zip(unicodeScalars, other.unicodeScalars) {
            guard one == another else { break }
            common.append(one)
        }
        return String(common)
    }
}
