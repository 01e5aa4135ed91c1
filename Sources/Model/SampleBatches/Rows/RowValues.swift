import ByteText

/// The values of a row, or of several, in the order of its context's slots, as in a ``SampleBatch``.
public struct RowValues: Sendable {
    /// An instant or the place of a token for each value.
    public private(set) var cells: [Int] = []
    /// The bytes with the tokens.
    public private(set) var text: [UInt8] = []
    /// The size that the values count for, about that of their columns, which decides how many rows make a batch.
    public private(set) var size = 0
    private var lastInstant = 0

    /// Creates a row without values.
    public init() {}

    /// Appends an instant in seconds.
    public mutating func append(instant seconds: Int) {
        cells.append(seconds - lastInstant)
        size += Self.sizeOfTime
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

    /// The size that an instant counts for.
    public static let sizeOfTime = 3

    /// Returns the size that a token of so many bytes counts for: the bytes, and a comma.
    @inlinable
    @inline(__always)
    public static func size(ofToken length: Int) -> Int { length + 1 }
}
