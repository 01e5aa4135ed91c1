/// Where a token of a column stands, as a number, so that a column of tokens looks like one of integers.
struct TokenPlace: Sendable {
    /// The place in the low half, the length in the high one; the complement of it for respelled tokens.
    let code: Int

    private static let half = Int.bitWidth / 2

    /// The largest texts that places can be told of, in bytes.
    static let limit = 1 << 31

    init(code: Int) { self.code = code }

    /// A token in the text of the batch.
    @inline(__always)
    init(inText range: Range<Int>) { code = range.lowerBound | range.count << Self.half }

    /// A token among those that are spelled another way in the text.
    init(amongRespelled range: Range<Int>) { code = ~(range.lowerBound | range.count << Self.half) }

    @inline(__always)
    var isRespelled: Bool { code < 0 }

    @inline(__always)
    var range: Range<Int> {
        let code = isRespelled ? ~code : code
        let start = code & (1 << Self.half - 1)
        return start..<(start + code >> Self.half)
    }
}
