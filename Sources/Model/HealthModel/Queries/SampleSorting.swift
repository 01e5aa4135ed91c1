import CivilTime

/// The fields by which a list of samples can be sorted.
public enum SampleSorting: String, CaseIterable, Sendable {
    /// By start, the earliest first.
    case start
    /// By end, the earliest first.
    case end
    /// By length, the longest first.
    case duration
    /// By value, the greatest first.
    case value
    /// By the name of the source.
    case source

    /// Returns the key of a sample; the smallest comes first.
    fileprivate func key(of sample: AnySample, _ type: AnySampleType) -> SortKey {
        switch self {
        case .start: SortKey(sample.startDate?.seconds)
        case .end: SortKey((sample.endDate ?? sample.startDate)?.seconds)
        case .duration:
            SortKey(sample.startDate.map { $0.seconds - (sample.endDate ?? $0).seconds })
        case .value: SortKey(Self.value(of: sample, type).map { -$0 })
        case .source: sample.sourceName.map { SortKey.text($0) } ?? .missing
        }
    }

    /// Returns the value in one unit: units may have changed over the years.
    private static func value(of sample: AnySample, _ type: AnySampleType) -> Double? {
        let quantity = QuantitySample(row: sample.row)
        return type.preferredUnit(in: .metric).flatMap { quantity.value(in: $0) } ?? quantity.value
    }
}

/// What a sample is sorted by; samples without it come last.
private enum SortKey: Comparable {
    case number(Double)
    case text(String)
    case missing

    init(_ seconds: Int?) { self = seconds.map { SortKey.number(Double($0)) } ?? .missing }
    init(_ value: Double?) { self = value.map { SortKey.number($0) } ?? .missing }
}

/// The first samples in an order, gathered while samples are read.
///
/// Ties keep the order in which they were read. With a limit, not many more are kept.
public struct SortedSamples: Sendable {
    private let sorting: SampleSorting
    private let type: AnySampleType
    private let limit: Int
    private var found: [(key: SortKey, number: Int, sample: AnySample)] = []
    private var count = 0

    /// The number of samples beyond the limit that are kept before they are sorted out.
    private static let surplus = 4096

    /// Creates an empty list.
    public init(by sorting: SampleSorting, _ type: AnySampleType, limit: Int? = nil) {
        self.sorting = sorting
        self.type = type
        self.limit = limit ?? .max
    }

    /// Adds samples.
    public mutating func append(_ samples: some Sequence<AnySample>) {
        for sample in samples {
            found.append((sorting.key(of: sample, type), count, sample))
            count += 1
            if found.count - Self.surplus > limit { prune() }
        }
        if found.count > limit { prune() }
    }

    private mutating func prune() {
        found.sort { ($0.key, $0.number) < ($1.key, $1.number) }
        found.removeLast(max(0, found.count - limit))
    }

    /// The samples, at most as many as the limit.
    public var samples: [AnySample] {
        found.sorted { ($0.key, $0.number) < ($1.key, $1.number) }.prefix(limit).map(\.sample)
    }
}
