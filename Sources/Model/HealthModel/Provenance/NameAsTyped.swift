/// A name as a person types it.
///
/// Names in an export have characters that keyboards do not: a typographic apostrophe in `Alice’s iPhone`, a no-break space
/// in `Apple Watch`. Two names are the same if they differ only in such characters, or in upper and lower case.
struct NameAsTyped: Sendable, Hashable {
    /// The name as it was given.
    let text: String
    private let reading: String

    /// Creates the name from any way to write it.
    init(_ name: String) {
        text = name
        reading = Self.reading(of: name)
    }

    /// Returns whether another name reads like this one.
    func matches(_ name: String) -> Bool { text == name || reading == Self.reading(of: name) }

    private static func reading(of name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map(typed))).lowercased()
    }

    /// Returns the character that a person types for a space, an apostrophe, a quotation mark or a hyphen of any kind.
    private static func typed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{a0}", "\u{2000}"..."\u{200a}", "\u{202f}", "\u{205f}", "\u{3000}": " "
        case "\u{2018}", "\u{2019}", "\u{201b}", "\u{2bc}", "\u{2032}": "'"
        case "\u{201c}"..."\u{201f}": "\""
        case "\u{2010}"..."\u{2015}", "\u{2212}": "-"
        default: scalar
        }
    }
}

extension String {
    /// Returns whether a source's name reads like this text, whatever spaces, apostrophes and hyphens it is written with, in
    /// upper or lower case.
    package func reads(like name: String) -> Bool { self == name || NameAsTyped(self).matches(name) }
}
