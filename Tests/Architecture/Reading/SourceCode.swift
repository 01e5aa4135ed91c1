/// The code of a source file: what is left when comments, and what strings say, are blanked out.
///
/// Blanks keep the length, so that a place in the code is the same place in the file. What is interpolated into a
/// string is code. Regular expressions are understood between `#/` and `/#`, not between bare slashes.
struct SourceCode: Sendable {
    enum Language: Sendable {
        case swift
        case c
    }

    struct Token: Sendable, Equatable {
        let text: String
        let start: Int
    }

    private let language: Language
    private(set) var bytes: [UInt8]
    /// Names, numbers and keywords as a whole, everything else byte by byte.
    private(set) var tokens: [Token] = []
    private var index = 0

    init(_ bytes: [UInt8], _ language: Language = .swift) {
        self.bytes = bytes
        self.language = language
        skipCode(untilParenthesis: false)
        findTokens()
    }

    init(_ text: String, _ language: Language = .swift) { self.init(Array(text.utf8), language) }

    /// Whether the texts stand one behind the other, with nothing but space between them.
    func contains(_ texts: String...) -> Bool {
        tokens.indices.contains { start in
            tokens[start].text == texts.first
                && tokens[start...].prefix(texts.count).map(\.text).elementsEqual(texts)
        }
    }

    /// The modules that are imported, as a whole or a declaration of them.
    var imports: [String] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
        return tokens.indices.filter { tokens[$0].text == "import" }.compactMap { keyword in
            tokens[(keyword + 1)...].first { !kinds.contains($0.text) }?.text
        }
    }

    /// The names of the types that are declared outside of any other.
    var topLevelTypes: [String] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var names: [String] = []
        var depth = 0
        for (place, token) in tokens.enumerated() {
            if ["{", "(", "["].contains(token.text) { depth += 1 }
            if ["}", ")", "]"].contains(token.text) { depth -= 1 }
            if depth == 0, kinds.contains(token.text), place + 1 < tokens.count {
                names.append(tokens[place + 1].text)
            }
        }
        return names
    }

    // MARK: - Blanking

    private func has(_ text: String, at place: Int) -> Bool {
        bytes[min(place, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
            index += 1
        }
    }

    /// What comments, strings and parentheses begin with.
    private static let marks = Set("/#\"'()".utf8)

    /// Goes over code to its end, or behind the parenthesis that ends an interpolation.
    private mutating func skipCode(untilParenthesis: Bool) {
        var depth = 0
        while index < bytes.count {
            guard Self.marks.contains(bytes[index]) else {
                index += 1
                continue
            }
            if has("//", at: index) {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank(1) }
            } else if has("/*", at: index) {
                blankComment()
            } else if language == .c, has("'", at: index) {
                blankLiteral(endingWith: [UInt8(ascii: "'")], pounds: 0)
            } else if let pounds = poundsOfLiteral {
                index += pounds
                if has("/", at: index) {
                    blankLiteral(endingWith: [UInt8(ascii: "/")], pounds: pounds)
                } else {
                    let isLong = language == .swift && has("\"\"\"", at: index)
                    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isLong ? 3 : 1)
                    blankLiteral(endingWith: quotes, pounds: pounds)
                }
            } else {
                if bytes[index] == UInt8(ascii: "(") { depth += 1 }
                if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
                index += 1
                if untilParenthesis, depth < 0 { return }
            }
        }
    }

    /// How many `#` stand before the string or regular expression that begins here; nil where none does.
    private var poundsOfLiteral: Int? {
        var end = index
        while has("#", at: end) { end += 1 }
        let isExpression = end > index && language == .swift && has("/", at: end)
        return has("\"", at: end) || isExpression ? end - index : nil
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            if has("/*", at: index), language == .swift || depth == 0 {
                depth += 1
                blank(2)
            } else if has("*/", at: index) {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && index < bytes.count
    }

    /// Blanks what stands between the quotes, and goes on behind them.
    private mutating func blankLiteral(endingWith quotes: [UInt8], pounds: Int) {
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
        index += quotes.count
        while index < bytes.count {
            if bytes[index...].starts(with: quotes + marks) {
                index += quotes.count + pounds
                return
            }
            if bytes[index...].starts(with: [UInt8(ascii: "\\")] + marks) {
                blank(1 + pounds)
                if language == .swift, has("(", at: index), quotes.first == UInt8(ascii: "\"") {
                    index += 1
                    skipCode(untilParenthesis: true)
                    continue
                }
            } else if bytes[index] == UInt8(ascii: "\n"), quotes.count == 1, pounds == 0 {
                return
            }
            blank(1)
        }
    }

    // MARK: - Tokens

    private mutating func findTokens() {
        var start: Int?
        for place in 0...bytes.count {
            let byte = place < bytes.count ? bytes[place] : UInt8(ascii: " ")
            if Self.isNamePart(byte) {
                if start == nil { start = place }
                continue
            }
            if let first = start { tokens.append(token(first..<place)) }
            start = nil
            if byte > 0x20 { tokens.append(token(place..<(place + 1))) }
        }
    }

    private func token(_ range: Range<Int>) -> Token {
        Token(text: String(decoding: bytes[range], as: UTF8.self), start: range.lowerBound)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }
}
