public import HealthModel

/// A record of the known samples of a type, for querying later changes.
///
/// For each month, an anchor contains the number of samples and the sum of their identities. It contains no health
/// values, but it reveals which months have samples.
public struct QueryAnchor: Sendable, Codable, Equatable {
    /// The identifier of the type; empty at the beginning.
    public internal(set) var type = ""
    /// The fingerprint facts of the store that the anchor was made from.
    public internal(set) var store: [String: String] = [:]
    /// The known samples, by the month (UTC) in which they start.
    var months: [String: Sum] = [:]
    /// The month whose changes were only partly returned.
    var page: Page?

    /// A count, and the sum of identities in hexadecimal digits.
    struct Sum: Sendable, Codable, Equatable {
        var count = 0
        var identities = ""
    }

    /// A month of which only some changes were returned.
    struct Page: Sendable, Codable, Equatable {
        var month: String
        /// The sum of the month in the newer store.
        var target: Sum
        /// Number of changes that were returned.
        var returned: Int
    }

    /// Creates an anchor for which all samples are new.
    public init() {}
}

/// The changes since an anchor.
public struct SampleChanges<Sample: HealthSample>: Sendable {
    /// The new samples.
    public internal(set) var added: [Sample] = []
    /// The deleted samples, from the older store.
    public internal(set) var deleted: [Sample] = []
    /// The months (`2024-05`, in UTC) that changed, but whose changes are unknown without the older store.
    ///
    /// An anchor contains no samples, so it cannot show which are new. With the older store, this is empty.
    public internal(set) var changedMonths: [String] = []
    /// The anchor for the next page or, if nothing has changed, for the next query.
    public internal(set) var anchor: QueryAnchor

    /// Whether nothing has changed since the anchor.
    public var isEmpty: Bool { added.isEmpty && deleted.isEmpty && changedMonths.isEmpty }
}
