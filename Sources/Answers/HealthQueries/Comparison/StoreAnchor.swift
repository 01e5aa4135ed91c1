import ByteText
public import HealthModel
import SampleBatches
import SipHash

/// A point from which changes are counted: the content of an export or archive, or a page of its changes.
///
/// It is printable as one line of text, and names the export or archive that it stands for. That line tells nothing of the
/// samples. An anchor that a query for a type returns is `Codable`, and also has the sums of spans, which reveal when there
/// are samples, but not their values.
public struct StoreAnchor: Sendable, Hashable, Codable {
    /// The name of the export or archive: its path, for the command.
    public internal(set) var name = ""
    /// A digest of the store's fingerprint; empty at the beginning.
    public internal(set) var fingerprint = ""
    /// The position among the changes of a newer store; nil if the anchor stands for all of its store.
    public internal(set) var page: Page?
    /// The type of which it has the sums of spans; nil if it has none.
    public internal(set) var type: AnySampleType?
    var sums: [SpanSum] = []

    /// A position among the changes from one store to another.
    public struct Page: Sendable, Hashable, Codable {
        /// The digest of the newer store's fingerprint.
        public let newer: String
        /// The number of changes that were already returned.
        public let returned: Int
    }

    /// Creates an anchor for which all samples are new.
    public init() {}

    /// Creates an anchor from its parts.
    init(name: String, fingerprint: String, page: Page? = nil) {
        self.name = name
        self.fingerprint = fingerprint
        self.page = page
    }

    /// Creates the anchor that stands for the content of a store.
    ///
    /// - Throws: An error if the store cannot be read.
    public init(_ store: any HealthStore, named name: String) async throws {
        self.init(name: name, fingerprint: try await store.contents().fingerprint.digest)
    }

    /// Returns whether the anchor was made from a store.
    public func matches(_ store: any HealthStore) async throws -> Bool {
        try await store.contents().fingerprint.digest == fingerprint
    }
}

extension StoreFingerprint {
    /// A text of 32 hexadecimal digits that changes whenever the content does.
    package var digest: String {
        var hash = SipHash128()
        for (name, fact) in facts.sorted(by: { $0.key < $1.key }) {
            let line = Array("\(name)=\(fact)\n".utf8)
            hash.update(UInt64(line.count))
            hash.update(line.span)
        }
        return Hexadecimal.text(hash.finish())
    }
}

extension StoreAnchor: LosslessStringConvertible {
    private static let mark = "anchor:1:"

    /// Whether a text looks like an anchor rather than a path.
    public static func isAnchor(_ text: String) -> Bool { text.hasPrefix(mark) }

    /// The anchor as one line: `anchor:1:FINGERPRINT:NAME`, or with a page `anchor:1:FINGERPRINT+NEWER+RETURNED:NAME`.
    public var description: String {
        let page = page.map { "+\($0.newer)+\($0.returned)" } ?? ""
        return "\(Self.mark)\(fingerprint)\(page):\(name)"
    }

    /// Reads what ``description`` prints.
    public init?(_ text: String) {
        guard Self.isAnchor(text) else { return nil }
        let parts = text.dropFirst(Self.mark.count).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let facts = parts[0].split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard facts.count == 1 || facts.count == 3, facts.prefix(2).allSatisfy(Self.isDigest) else {
            return nil
        }
        var page: Page?
        if facts.count == 3 {
            guard let returned = Int(facts[2]), returned >= 0, String(returned) == facts[2] else {
                return nil
            }
            page = Page(newer: facts[1], returned: returned)
        }
        self.init(name: String(parts[1]), fingerprint: facts[0], page: page)
    }

    private static func isDigest(_ text: String) -> Bool { Hexadecimal.bytes(text)?.count == 16 }
}
