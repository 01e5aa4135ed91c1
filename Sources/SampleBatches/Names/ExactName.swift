import ByteSpans

/// A name that is told from others by its bytes.
///
/// Swift takes two strings for equal when Unicode does: `é` in one piece and `é` as a letter with an accent. In a
/// document they are two names, and what is counted by names must keep them apart.
public struct ExactName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    /// The name as text.
    public let text: String

    /// A name.
    public init(_ text: String) { self.text = text }

    /// A name that is known when the program is written.
    public init(stringLiteral text: String) { self.text = text }

    /// Byte by byte.
    public static func == (left: Self, right: Self) -> Bool {
        let (mine, theirs) = (left.text.utf8Span.span, right.text.utf8Span.span)
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    /// In the order of the bytes, which is that of the code points.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the bytes, eight at a time.
    ///
    /// The hash of the text would be the same for all names that Unicode takes for equal, of which a document can have
    /// thousands.
    public func hash(into hasher: inout Hasher) {
        let bytes = text.utf8Span.span
        var index = 0
        while index + 8 <= bytes.count {
            hasher.combine(bytes.word(at: index))
            index += 8
        }
        hasher.combine(bytes.partialWord(at: index, count: bytes.count - index))
        hasher.combine(bytes.count)
    }
}
