/// The value of a metric in a period, and what it is based on.
///
/// A period without data has no amount: that is different from an amount of zero.
public struct Amount: Sendable, Equatable {
    /// The value in the metric's unit, not rounded.
    public var value: Double
    /// Number of samples that count, in full or in part; a sample that spans midnight counts on both days.
    public var n: Int
    /// Number of days with data.
    public var days: Int
    /// The seconds that measurements cover; nil for metrics that are added up.
    public var coveredSeconds: Int?
    /// The names of the sources that count, sorted.
    public var sources: [String]

    /// Creates an amount.
    public init(value: Double, n: Int, days: Int = 1, coveredSeconds: Int? = nil, sources: [String]) {
        self.value = value
        self.n = n
        self.days = days
        self.coveredSeconds = coveredSeconds
        self.sources = sources
    }

    /// Adds the amount of another period.
    mutating func add(_ other: Amount) {
        value += other.value
        n += other.n
        days += other.days
        if let more = other.coveredSeconds { coveredSeconds = (coveredSeconds ?? 0) + more }
        if sources != other.sources { sources = Set(sources).union(other.sources).sorted() }
    }
}
