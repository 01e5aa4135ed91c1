/// The words of a line that a person types at a prompt: separated and quoted as in a shell, without any expansion.
public struct LineWords: Sendable, Equatable {
    /// The words that are followed by another one, or by a space.
    public private(set) var finished: [String] = []
    /// The word at the end of the line; nil if the line is empty or ends with a space.
    public private(set) var last: String?
    /// The quotation mark that is still open, or the backslash at the end.
    public private(set) var open: Unicode.Scalar?

    /// All words, if every quotation mark is closed.
    public var words: [String]? { open == nil ? finished + (last.map { [$0] } ?? []) : nil }

    /// Splits a line.
    public init(_ line: String) {
        var escapes = false
        for scalar in line.unicodeScalars {
            if escapes {
                append(scalar)
                escapes = false
                continue
            }
            switch scalar {
            case "\\" where open != "'":
                escapes = true
                last = last ?? ""
            case "'" where open == nil, "\"" where open == nil:
                open = scalar
                last = last ?? ""
            case _ where scalar == open: open = nil
            case " " where open == nil, "\t" where open == nil:
                if let last { finished.append(last) }
                last = nil
            default: append(scalar)
            }
        }
        if escapes { open = "\\" }
    }

    private mutating func append(_ scalar: Unicode.Scalar) { last = (last ?? "") + String(scalar) }
}
