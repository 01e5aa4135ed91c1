/// Where a token stands in the text of a batch, as a number, so that a text takes no more than an instant does.
public struct TokenPlace: Sendable {
    /// The place in the low half, the length in the high one.
    public let code: Int

    @usableFromInline static let half = Int.bitWidth / 2

    /// A text with places has fewer bytes.
    public static let limit = 1 << 31

    /// The place that a code tells of.
    @inlinable
    @inline(__always)
    public init(code: Int) { self.code = code }

    /// A place below ``limit``.
    @inlinable
    @inline(__always)
    public init(_ range: Range<Int>) { code = range.lowerBound | range.count << Self.half }

    /// The bytes of the text.
    @inlinable
    @inline(__always)
    public var range: Range<Int> {
        let start = code & (1 << Self.half - 1)
        return start..<(start + code >> Self.half)
    }
}
