/// Named facts, such as lengths and checksums, that distinguish the content of one store from that of another.
///
/// Names and times of files are not part of it. A store may know some of the facts before it is read, and the rest only
/// afterwards.
public struct StoreFingerprint: Sendable, Equatable {
    /// The facts by their names.
    public var facts: [String: String]

    /// Creates a fingerprint of these facts.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    /// The result of comparing two fingerprints.
    public enum Comparison: Sendable, Equatable {
        /// All facts in common are the same.
        case same
        /// A fact differs.
        case different
        /// They have no fact in common.
        case unknown
    }

    /// Compares two fingerprints.
    public func compare(_ other: StoreFingerprint) -> Comparison {
        let common = facts.keys.filter { other.facts[$0] != nil }
        guard common.allSatisfy({ facts[$0] == other.facts[$0] }) else { return .different }
        return common.isEmpty ? .unknown : .same
    }
}
