import ByteSpans

/// The count and the order-independent sum of record identities.
///
/// They are equal for two sets of records if and only if both contain the same records the same number of times, except
/// for collisions with a probability of 2^-128.
public struct IdentitySum: Sendable, Equatable {
    /// Number of records.
    public private(set) var count = 0
    /// Sum of the identities modulo 2^128.
    public private(set) var value: UInt128 = 0

    /// Creates the sum of no records.
    public init() {}

    /// Creates a sum from its ``count`` and ``hexadecimal``; nil if the text is not in that form.
    public init?(count: Int, hexadecimal text: String) {
        guard let value = UInt128(text, radix: 16) else { return nil }
        self.count = count
        self.value = value
        guard hexadecimal == text else { return nil }
    }

    /// Adds a record.
    public mutating func add(_ identity: UInt128) {
        count += 1
        value &+= identity
    }

    /// Adds all records of another sum.
    public mutating func add(_ other: IdentitySum) {
        count = LengthSum.of(count, other.count)
        value &+= other.value
    }

    /// The sum as 32 hexadecimal digits.
    public var hexadecimal: String { Hexadecimal.text(value) }
}
