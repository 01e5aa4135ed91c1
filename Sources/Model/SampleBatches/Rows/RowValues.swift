import ByteSpans

/// The packed values of one row, in the order of its context's slots, as open batches store them.
public struct RowValues: Sendable {
    /// The packed bytes.
    public private(set) var bytes: [UInt8] = []
    private var previousInstant: Int?

    /// Creates a row without values.
    public init() {}

    /// Appends an instant in seconds.
    @inline(__always)
    public mutating func append(instant seconds: Int) {
        Varint.appendSigned(seconds - (previousInstant ?? 0), to: &bytes)
        previousInstant = seconds
    }

    /// Appends a text that is already a JSON token.
    public mutating func append(token: Span<UInt8>) {
        bytes.append(addingCapacity: Varint.longest + token.count) { (output: inout OutputSpan<UInt8>) in
            Varint.append(token.count, to: &output)
            output.append(copying: token)
        }
    }
}
