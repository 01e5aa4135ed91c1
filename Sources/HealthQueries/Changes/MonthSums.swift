import HealthModel
import SampleBatches

/// The samples of a type by the months of their starts in UTC.
enum MonthSums: Sendable {
    /// The name for samples without a start, which sorts behind those of all months.
    static let undated = "undated"

    static func of<Sample: HealthSample>(
        _ type: SampleType<Sample>, in store: any HealthStore
    ) async throws -> [String: QueryAnchor.Sum] {
        var sums: [String: IdentitySum] = [:]
        for try await samples in store.samples(type) {
            try Task.checkCancellation()
            samples.forEachIdentity { start, identity in
                sums[start.map { name($0) } ?? undated, default: IdentitySum()].add(identity)
            }
        }
        return sums.mapValues { QueryAnchor.Sum(count: $0.count, identities: $0.hexadecimal) }
    }

    static func name(_ seconds: Int) -> String {
        SpanRule.months(1).name(of: SpanRule.months(1).span(of: seconds))
    }
}

/// Reads the samples of a type month by month, from front to back.
struct MonthReader<Sample: HealthSample> {
    private var spans: SampleSequence<Sample>.Iterator
    private var pending: ArraySlice<Sample> = []

    /// Starts with the first of some months.
    init(_ type: SampleType<Sample>, _ store: any HealthStore, _ months: [String]) {
        spans = store.samples(type, in: Self.range(months)).makeAsyncIterator()
    }

    /// Returns the time from the first month on; all time for samples without a start.
    private static func range(_ months: [String]) -> QueryTimeRange {
        guard let first = months.first, months.last != MonthSums.undated,
            let day = CivilDate(Array("\(first)-01".utf8).span)
        else { return .ever }
        return .since(.instant(day.start))
    }

    /// Returns the samples of a month, which must be later than the one before.
    mutating func samples(of month: String) async throws -> [Sample] {
        var found: [Sample] = []
        while true {
            while let sample = pending.first {
                let own = sample.startDate.map { MonthSums.name($0.seconds) } ?? MonthSums.undated
                if own > month { return found }
                if own == month { found.append(sample) }
                pending.removeFirst()
            }
            guard let next = try await spans.next() else { return found }
            pending = Array(next)[...]
        }
    }
}
