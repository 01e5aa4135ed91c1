import HealthModel
public import SampleBatches

/// A part of an anchor: the identities of samples of one span that a target has.
///
/// The anchor of a type consists of the pages of all its spans. A page is small enough to be written with each batch.
public struct AnchorPage: Sendable, Equatable {
    /// Element, type and span of the samples; the part is 0.
    public let span: SampleBatch.Key
    /// The number of the page in its span, from 1.
    public let number: Int
    /// The identities; exact copies occur as often as the target has them.
    ///
    /// A page without any is removed.
    public var identities: [UInt128]

    /// Creates a page.
    public init(span: SampleBatch.Key, number: Int, identities: [UInt128] = []) {
        self.span = span
        self.number = number
        self.identities = identities
    }

    /// What a page says without its identities.
    public struct Summary: Sendable, Equatable {
        /// Element, type and span of the samples; the part is 0.
        public let span: SampleBatch.Key
        /// The number of the page.
        public let number: Int
        /// The count and sum of its identities.
        public let sum: IdentitySum

        /// Creates a summary.
        public init(span: SampleBatch.Key, number: Int, sum: IdentitySum) {
            self.span = span
            self.number = number
            self.sum = sum
        }

        /// The largest count that is accepted, so that a damaged one cannot exhaust memory.
        private static let largest = 1 << 20
        /// The largest number that is accepted; pages follow each other, so that there are never as many.
        static let lastNumber = 1 << 32

        /// Creates a summary from its parts as a target stores them; nil if they do not belong together.
        public init?(element: String, type: String, span: String, number: Int, count: Int, sum: String) {
            guard (1...Self.lastNumber).contains(number), (1...Self.largest).contains(count),
                let sum = IdentitySum(count: count, hexadecimal: sum.utf8Span.span)
            else { return nil }
            self.init(
                span: SampleBatch.Key(element: element, type: type, span: span, part: 0), number: number,
                sum: sum)
        }
    }

    /// The summary of the page.
    public var summary: Summary {
        var sum = IdentitySum()
        for identity in identities { sum.add(identity) }
        return Summary(span: span, number: number, sum: sum)
    }

    /// The identities as bytes, 16 for each.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * identities.count)
        for identity in identities {
            for shift in stride(from: 120, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: identity >> UInt128(shift)))
            }
        }
        return bytes
    }

    /// Reads the identities of a page from its bytes; nil if they do not fit its summary.
    public init?(_ summary: Summary, bytes: [UInt8]) {
        guard bytes.count == 16 * summary.sum.count else { return nil }
        var identities: [UInt128] = []
        identities.reserveCapacity(summary.sum.count)
        for start in stride(from: 0, to: bytes.count, by: 16) {
            identities.append(bytes[start..<(start + 16)].reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
        }
        self.init(span: summary.span, number: summary.number, identities: identities)
        guard self.summary == summary else { return nil }
    }
}
