import ByteSpans
import SampleBatches

/// What identifies a sample in every export of the same phone.
///
/// An export has no UUIDs. This is made of what the sample says: type, instants, value, unit, source, device and
/// metadata; how an export writes times, its pointers and its creation dates are not part of it.
public struct SampleID: Sendable, Hashable {
    /// What it is a sample of.
    public let type: AnySampleType
    /// The hash of what the sample says.
    public let identity: UInt128
    /// The number of samples before it that say exactly the same.
    public let ordinal: Int
}

extension SampleID: CustomStringConvertible {
    /// 32 hexadecimal digits and, for a duplicate, its number: `6f1d...a0-2`.
    public var description: String {
        let text = Hexadecimal.text(identity)
        return ordinal == 0 ? text : "\(text)-\(ordinal + 1)"
    }
}

extension SampleID: Comparable {
    /// Orders by identity, then by ordinal.
    public static func < (left: SampleID, right: SampleID) -> Bool {
        (left.identity, left.ordinal) < (right.identity, right.ordinal)
    }
}
