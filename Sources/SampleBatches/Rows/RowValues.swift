import ByteSpans

/// The values of one row, packed one behind the other in the order of its context's slots, as open batches hold them.
public struct RowValues: Sendable {
    /// The packed bytes.
    public private(set) var bytes: [UInt8] = []
    private var previousInstant: Int?

    /// No values yet.
    public init() {}

    /// Starts over, keeping the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        previousInstant = nil
    }

    /// Appends an instant in seconds.
    @inline(__always)
    public mutating func append(instant seconds: Int) {
        Varint.appendSigned(seconds - (previousInstant ?? 0), to: &bytes)
        previousInstant = seconds
    }

    /// Appends a text that is a JSON token already.
    public mutating func append(token: Span<UInt8>) {
        bytes.append(addingCapacity: Varint.longest + token.count) { (output: inout OutputSpan<UInt8>) in
            Varint.append(token.count, to: &output)
            output.append(copying: token)
        }
    }
}
