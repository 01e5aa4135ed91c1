public import HealthModel
import SampleBatches

/// How far the samples of a type are known, to ask later for what has changed.
///
/// An anchor says which samples there were, month by month, as a count and a sum of their identities. It holds no health
/// value, but it shows in which months there are samples.
public struct QueryAnchor: Sendable, Codable, Equatable {
    /// The identifier of the type; empty at the beginning.
    public internal(set) var type = ""
    /// The facts that distinguish the store from which the samples are known.
    public internal(set) var store: [String: String] = [:]
    /// The samples that are known, by the months of their starts in UTC.
    var months: [String: Sum] = [:]
    /// How far the changes of the next month were returned.
    var page: Page?

    /// A count, and the sum of identities in hexadecimal digits.
    struct Sum: Sendable, Codable, Equatable {
        var count = 0
        var identities = ""
    }

    /// A month of which some of the changes were returned.
    struct Page: Sendable, Codable, Equatable {
        var month: String
        /// What the month has in the newer store.
        var target: Sum
        /// Number of changes that were returned.
        var returned: Int
    }

    /// The anchor from which everything is new.
    public init() {}
}

/// What has changed since an anchor.
public struct SampleChanges<Sample: HealthSample>: Sendable {
    /// Samples that are new.
    public internal(set) var added: [Sample] = []
    /// Samples that are no longer there, as the older store has them.
    public internal(set) var deleted: [Sample] = []
    /// The months (`2024-05`, in UTC) that have changed, of which without the older store nothing more is known.
    ///
    /// Only samples tell which are new, and an anchor has none. With the older store, this is empty.
    public internal(set) var changedMonths: [String] = []
    /// The anchor for the next page or, if nothing has changed, for the next time.
    public internal(set) var anchor: QueryAnchor

    /// Whether nothing has changed since the anchor.
    public var isEmpty: Bool { added.isEmpty && deleted.isEmpty && changedMonths.isEmpty }
}

/// Why an anchor cannot be used.
public struct QueryAnchorError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reasons.
    public enum Code: Sendable, Equatable {
        /// It is about another type.
        case otherType
        /// The older store is not the one that it was made from.
        case otherStore
    }

    /// The reason.
    public let code: Code

    /// Creates the error.
    public init(_ code: Code) { self.code = code }

    /// What happened, in a printable line.
    public var description: String {
        switch code {
        case .otherType: "the anchor is about another type of samples"
        case .otherStore: "the older store is not the one that the anchor was made from"
        }
    }
}
