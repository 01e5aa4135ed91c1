/// The declarations of a source file by which a name stands for text: variables, parameters, labels of tuples and
/// cases, functions by what they return, and other names for the type.
///
/// Types are told by their names, so that one that the compiler works out by itself is seen only where a string literal,
/// or a string made on the spot, is what it is worked out from.
struct TextDeclarations {
    private static let types: Set = ["String", "Substring", "StringProtocol", "StaticString", "Character"]
    private static let opening: Set = ["(", "[", "<"]
    private static let closing: Set = [")", "]", ">"]

    private let tokens: [SourceCode.Token]
    /// The names that are declared, in the order of the file.
    private(set) var names: [String] = []

    init(_ code: SourceCode) {
        tokens = code.tokens
        names = tokens.indices.compactMap { place in
            isLabelled(place) || isInferred(place) || isFunction(place) || isCase(place) || isAlias(place)
                ? tokens[place].text : nil
        }
    }

    init(_ text: String) { self.init(SourceCode(text)) }

    private func text(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].text : "" }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return first == UInt8(ascii: "_") || (first | 0x20) &- UInt8(ascii: "a") < 26 || first >= 0x80
    }

    /// `name: String`, `name: [String: Int]?`, `name: @Sendable (String) -> Void`.
    private func isLabelled(_ place: Int) -> Bool {
        guard Self.isName(text(place)), text(place + 1) == ":" else { return false }
        // The keys of a dictionary, or their type.
        if text(place - 1) == "[" { return false }
        return isText(from: place + 2)
    }

    /// `let name = "..."`, `name = String(...)`, `for name in ["..."]`.
    private func isInferred(_ place: Int) -> Bool {
        guard Self.isName(text(place)), ["let", "var", "for"].contains(text(place - 1)),
            ["=", "in"].contains(text(place + 1))
        else { return false }
        var start = place + 2
        while ["[", "(", "#", "try", "await"].contains(text(start)) { start += 1 }
        return text(start) == "\"" || Self.types.contains(text(start))
    }

    /// `func name(...) -> String`.
    private func isFunction(_ place: Int) -> Bool {
        guard text(place - 1) == "func" else { return false }
        var next = place + 1
        if text(next) == "<" { next = end(ofBracketAt: next) + 1 }
        guard text(next) == "(" else { return false }
        next = end(ofBracketAt: next) + 1
        while next < tokens.count, !["{", "}", "func", "var", "let", "init"].contains(text(next)) {
            if text(next) == "-", text(next + 1) == ">" { return isText(from: next + 2) }
            next += 1
        }
        return false
    }

    /// `case name(String)`.
    private func isCase(_ place: Int) -> Bool {
        guard text(place - 1) == "case", text(place + 1) == "(" else { return false }
        return tokens[(place + 2)..<end(ofBracketAt: place + 1)].contains { Self.types.contains($0.text) }
    }

    /// `typealias Name = String`.
    private func isAlias(_ place: Int) -> Bool {
        text(place - 1) == "typealias" && text(place + 1) == "=" && isText(from: place + 2)
    }

    /// The type that begins here has text in it; a call, such as that of an initialiser, is none.
    private func isText(from start: Int) -> Bool {
        var depth = 0
        var isFound = false
        for place in start..<max(start, tokens.count) {
            let text = tokens[place].text
            if Self.types.contains(text) {
                let isMember = self.text(place + 1) == "." && self.text(place + 2) != "."
                if self.text(place + 1) == "(" || isMember { return false }
                isFound = true
            }
            if text == ">", self.text(place - 1) == "-" { continue }
            if Self.opening.contains(text) { depth += 1 }
            if Self.closing.contains(text) { depth -= 1 }
            if depth < 0 || depth == 0 && ends(place) { break }
        }
        return isFound
    }

    /// A type ends before what stands here, or before the next token.
    private func ends(_ place: Int) -> Bool {
        let next = text(place + 1)
        if text(place) == "-", next == ">" { return false }
        if [
            ",", "=", "{", "}", ";", "\"", ")", "]", ">", "", "let", "var", "func", "case", "init", "static",
            "private",
            "public", "package", "fileprivate", "@", "mutating", "where", "in", "&",
        ].contains(next) {
            // An attribute or a modifier may stand before the type itself.
            return !(next == "@" && text(place) == ":")
        }
        return false
    }

    private func end(ofBracketAt start: Int) -> Int {
        var depth = 0
        for place in start..<max(start, tokens.count) {
            let text = tokens[place].text
            if text == ">", self.text(place - 1) == "-" { continue }
            if Self.opening.contains(text) { depth += 1 }
            if Self.closing.contains(text) { depth -= 1 }
            if depth == 0 { return place }
        }
        return tokens.count - 1
    }
}
