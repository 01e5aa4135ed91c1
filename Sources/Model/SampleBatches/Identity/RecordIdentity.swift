import ByteText
import SipHash

/// The identity of a record across exports: element, sample type, instants, value, unit, source, device and nested
/// content.
///
/// It excludes what may change between exports of the same record: how times are written, the pointer and creation date
/// in device descriptions, the source's version, and `creationDate`.
enum RecordIdentity: Sendable {
    static let ignoredNames: Set<String> = ["creationDate", "sourceVersion"]

    /// Returns whether the values of a slot are part of the identity; the pointer in a device description is not.
    static func includes(_ slot: BatchContext.Slot) -> Bool {
        if case .enclosed = slot { return false }
        return !ignoredNames.contains(slot.name)
    }

    /// Returns the hash of what a context contributes to all its rows.
    static func hash(of context: BatchContext, element: String) -> UInt128 {
        var hash = SipHash128()
        add(element, to: &hash)
        for slot in context.slots where !ignoredNames.contains(slot.name) {
            switch slot {
            case .constant(let name, let text):
                add(name, to: &hash)
                add(name == "device" ? ContentIdentity.normalizedDevice(text) : text, to: &hash)
            case .enclosed(let name, let before, let after):
                let whole = [UInt8(ascii: "\"")] + before + after + [UInt8(ascii: "\"")]
                add(name, to: &hash)
                add(ContentIdentity.normalizedDevice(whole), to: &hash)
            case .text(let name), .time(let name, _):
                add(name, to: &hash)
            }
        }
        return hash.finish()
    }

    /// Adds a string after its length, so that different lists of strings never produce the same bytes.
    private static func add(_ bytes: [UInt8], to hash: inout SipHash128) {
        hash.update(UInt64(bytes.count))
        hash.update(bytes.span)
    }

    private static func add(_ text: String, to hash: inout SipHash128) {
        let bytes = text.utf8Span.span
        hash.update(UInt64(bytes.count))
        hash.update(bytes)
    }
}

extension BatchContext {
    /// Returns the context's contribution to the identity of an element's rows.
    func identity(inElement element: String) -> UInt128 {
        hash(inElement: element) { RecordIdentity.hash(of: self, element: element) }
    }

    /// Returns the start of the identities of an element's rows.
    func identityStart(inElement element: String) -> SipHash128 {
        var start = SipHash128()
        start.update(identity(inElement: element))
        return start
    }
}

/// The count and the order-independent sum of record identities.
///
/// They are equal for two sets of records if and only if both contain the same records the same number of times, except
/// for collisions with a probability of 2^-128.
public struct IdentitySum: Sendable, Hashable {
    /// Number of records.
    public package(set) var count = 0
    /// Sum of the identities modulo 2^128.
    public package(set) var value: UInt128 = 0

    /// Creates the sum of no records.
    public init() {}

    /// Creates a sum from its ``count`` and ``hexadecimal``; nil if the text is not in that form.
    public init?(count: Int, hexadecimal digits: Span<UInt8>) {
        guard let value = Hexadecimal.number(digits, UInt128.self) else { return nil }
        self.count = count
        self.value = value
    }

    /// Adds a record.
    public mutating func add(_ identity: UInt128) { add(1, sum: identity) }

    /// Adds so many records whose identities have this sum.
    mutating func add(_ records: Int, sum: UInt128) {
        count += records
        value &+= sum
    }

    /// Adds all records of another sum.
    public mutating func add(_ other: IdentitySum) {
        count = LengthSum.of(count, other.count)
        value &+= other.value
    }

    /// The sum as 32 hexadecimal digits.
    public var hexadecimal: String { Hexadecimal.text(value) }
}

/// Stored with the digits of the sum, since not every encoder knows numbers of 128 bits.
extension IdentitySum: Codable {
    private enum CodingKeys: String, CodingKey {
        case count
        case sum
    }

    /// Reads a sum.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let digits = try members.decode(String.self, forKey: .sum)
        let count = try members.decode(Int.self, forKey: .count)
        guard let sum = Self(count: count, hexadecimal: digits.utf8Span.span) else {
            throw DecodingError.dataCorruptedError(
                forKey: .sum, in: members, debugDescription: "not 32 hexadecimal digits")
        }
        self = sum
    }

    /// Writes the sum.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(count, forKey: .count)
        try members.encode(hexadecimal, forKey: .sum)
    }
}
