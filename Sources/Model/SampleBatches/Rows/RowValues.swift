import ByteSpans

/// The values of a row, or of several, in the order of its context's slots, as in a ``SampleBatch``.
public struct RowValues: Sendable {
    /// An instant or the place of a token for each value.
    public private(set) var cells: [Int] = []
    /// The bytes with the tokens.
    public private(set) var text: [UInt8] = []
    /// The size of the values as packed integers and texts, which decides how many rows make a batch.
    public private(set) var size = 0
    private var lastInstant = 0

    /// Creates a row without values.
    public init() {}

    /// Appends an instant in seconds.
    public mutating func append(instant seconds: Int) {
        cells.append(seconds - lastInstant)
        size += Self.size(ofTime: seconds - lastInstant)
        lastInstant = seconds
    }

    /// Appends a text that is already a JSON token.
    public mutating func append(token: Span<UInt8>) {
        precondition(token.count < TokenPlace.limit - text.count, "places are below the limit")
        cells.append(TokenPlace(text.count..<(text.count + token.count)).code)
        text.append(copying: token)
        size += Self.size(ofToken: token.count)
    }

    /// Starts another row: its first instant is no distance.
    mutating func startRow() { lastInstant = 0 }

    /// Returns the size of an instant, given as the distance from the one before it.
    @inlinable
    @inline(__always)
    public static func size(ofTime distance: Int) -> Int {
        // Small magnitudes are small numbers, whatever their sign.
        size(ofNumber: distance << 1 ^ distance >> (Int.bitWidth - 1))
    }

    /// Returns the size of a token of so many bytes.
    @inlinable
    @inline(__always)
    public static func size(ofToken length: Int) -> Int { size(ofNumber: length) + length }

    /// Returns the size of an unsigned number: a byte for each seven bits.
    @inlinable
    @inline(__always)
    public static func size(ofNumber number: Int) -> Int {
        if UInt(bitPattern: number) < 0x80 { return 1 }
        return (UInt.bitWidth - number.leadingZeroBitCount + 6) / 7
    }
}
