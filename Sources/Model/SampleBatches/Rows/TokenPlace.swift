/// The range of a token in the text of a batch, packed into one number so that it takes no more space than an instant.
public struct TokenPlace: Sendable {
    /// The start in the low half, the length in the high one.
    public let code: Int

    @usableFromInline static let half = Int.bitWidth / 2

    /// The exclusive upper bound of a text's length in bytes.
    public static let limit = 1 << 31

    /// Creates a place from its code.
    @inlinable
    @inline(__always)
    public init(code: Int) { self.code = code }

    /// Creates a place from a range below ``limit``.
    @inlinable
    @inline(__always)
    public init(_ range: Range<Int>) { code = range.lowerBound | range.count << Self.half }

    /// The range in the text.
    @inlinable
    @inline(__always)
    public var range: Range<Int> {
        let start = code & (1 << Self.half - 1)
        return start..<(start + code >> Self.half)
    }
}
