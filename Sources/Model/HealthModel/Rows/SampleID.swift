import ByteText

/// An identifier of a sample, the same in every export of the same phone.
///
/// An export has no UUIDs. The identifier is computed from type, instants, value, unit, source, device and metadata. It
/// ignores how an export writes times, pointers and creation dates.
public struct SampleID: Sendable, Hashable {
    /// The type of the sample.
    public let type: AnySampleType
    /// The hash of the sample's properties.
    public let identity: UInt128
    /// The number of identical samples before it.
    public let ordinal: Int

    /// Creates an identifier from its parts.
    public init(type: AnySampleType, identity: UInt128, ordinal: Int) {
        self.type = type
        self.identity = identity
        self.ordinal = ordinal
    }
}

extension SampleID: CustomStringConvertible {
    /// 32 hexadecimal digits and, for a duplicate, its number: `6f1d...a0-2`.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the description.
    package func append(to output: inout [UInt8]) { Self.append(identity, ordinal: ordinal, to: &output) }

    /// Appends the description of an identifier.
    static func append(_ identity: UInt128, ordinal: Int, to output: inout [UInt8]) {
        Hexadecimal.append(identity, to: &output)
        guard ordinal > 0 else { return }
        output.append(UInt8(ascii: "-"))
        JSONNumber.append(ordinal + 1, to: &output)
    }
}

extension SampleID: Comparable {
    /// Orders by identity, then by ordinal.
    public static func < (left: SampleID, right: SampleID) -> Bool {
        (left.identity, left.ordinal) < (right.identity, right.ordinal)
    }
}
