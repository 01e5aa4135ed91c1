import ByteSpans

/// Count and order-independent sum of record identities: equal for two sets of records exactly when, but for accidents
/// of a probability of 2^-128, they hold the same records the same number of times.
public struct IdentitySum: Sendable, Equatable {
    /// Number of records.
    public private(set) var count = 0
    /// Sum of the identities modulo 2^128.
    public private(set) var value: UInt128 = 0

    /// No records.
    public init() {}

    /// What ``count`` and ``hexadecimal`` said of a sum; nil where they would not say it so.
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

/// What identifies a record from one export to the next: element, sample type, instants, value, unit, source,
/// device and everything nested in it.
///
/// Left out is what an export may change without any change of the record: how times are written, the pointer
/// and creation date in device descriptions, the source's version, and `creationDate`.
enum RecordIdentity: Sendable {
    static let ignoredNames: Set<String> = ["creationDate", "sourceVersion"]

    /// The hash of what a context says of all its rows.
    static func hash(of context: BatchContext, element: String) -> UInt128 {
        var hash = SipHash128()
        add(Array(element.utf8), to: &hash)
        for slot in context.slots where !ignoredNames.contains(slot.name) {
            switch slot {
            case .constant(let name, let text):
                add(Array(name.utf8), to: &hash)
                add(name == "device" ? ContentIdentity.normalizedDevice(text) : text, to: &hash)
            case .enclosed(let name, let before, let after):
                let whole = [UInt8(ascii: "\"")] + before + after + [UInt8(ascii: "\"")]
                add(Array(name.utf8), to: &hash)
                add(ContentIdentity.normalizedDevice(whole), to: &hash)
            case .text(let name), .time(let name, _):
                add(Array(name.utf8), to: &hash)
            }
        }
        return hash.finish()
    }

    /// The length goes before the bytes, so that no two lists of strings look the same.
    private static func add(_ bytes: [UInt8], to hash: inout SipHash128) {
        hash.update(UInt64(bytes.count))
        hash.update(bytes.span)
    }
}

extension SampleBatch {
    /// Count and sum of the identities of the batch's rows.
    public func identitySum() -> IdentitySum {
        let starts = contexts.map { context in
            var hash = SipHash128()
            hash.update(context.identity(inElement: key.element))
            return hash
        }
        let contentHashes = [0] + contents.map { ContentIdentity.hash(of: $0) }
        let included = contexts.flatMap { context in
            context.columns.map { column in
                let slot = context.slots[column.slot]
                if case .enclosed = slot { return false }
                return !RecordIdentity.ignoredNames.contains(slot.name)
            }
        }
        var sum = IdentitySum()
        var hash = SipHash128()
        // Most rows start like the one before.
        var last = (context: -1, content: -1, hash: hash)
        forEachRow { (row: Row) in
            if row.context != last.context || row.content != last.content {
                last = (row.context, row.content, starts[row.context])
                last.hash.update(contentHashes[row.content])
            }
            hash = last.hash
        } value: { row, _, value, bytes in
            guard included[row.column] else { return }
            switch value {
            case .instant(let seconds, _): hash.update(UInt64(bitPattern: Int64(seconds)))
            case .token(let range):
                hash.update(UInt64(range.count))
                hash.update(bytes.extracting(range))
            }
        } endRow: { _ in
            sum.add(hash.finish())
        }
        return sum
    }
}
