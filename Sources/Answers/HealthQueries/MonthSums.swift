import CivilTime
import HealthModel
import SampleBatches

/// Sums of the samples of a type, by the month (UTC) in which they start.
enum MonthSums: Sendable {
    private static let rule = SpanRule.months(1)
    /// The name for samples without a start, which sorts after all months.
    static let undated = rule.name(of: .undated)

    static func of<Sample: HealthSample>(
        _ type: SampleType<Sample>, in store: any HealthStore
    ) async throws -> [String: QueryAnchor.Sum] {
        var sums: [CalendarSpan: IdentitySum] = [:]
        for try await samples in store.samples(type) {
            try Task.checkCancellation()
            samples.forEachIdentity { start, identity in
                sums[span(start), default: IdentitySum()].add(identity)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: sums.map { span, sum in
                (rule.name(of: span), QueryAnchor.Sum(count: sum.count, identities: sum.hexadecimal))
            })
    }

    private static func span(_ start: Int?) -> CalendarSpan { start.map { rule.span(of: $0) } ?? .undated }

    /// Returns the name of the month of a start, in seconds since 1970.
    static func name(_ start: Int?) -> String { rule.name(of: span(start)) }
}

/// Reads the samples of a type month by month, in ascending order.
struct MonthReader<Sample: HealthSample> {
    private var spans: SampleSequence<Sample>.Iterator
    /// The samples that were read last, and the number already used.
    private var pending: (samples: Samples<Sample>, used: Int)?

    /// Creates a reader that starts at the first of some months.
    init(_ type: SampleType<Sample>, _ store: any HealthStore, _ months: [String]) {
        spans = store.samples(type, in: Self.range(months)).makeAsyncIterator()
    }

    /// Returns the range that starts a day before the first month, because a day without a time may start early; all
    /// time if there are samples without a start.
    private static func range(_ months: [String]) -> QueryTimeRange {
        guard let first = months.first, months.last != MonthSums.undated,
            let day = CivilDate(Array("\(first)-01".utf8).span)
        else { return .ever }
        return .since(.day(CivilDate(daysSince1970: day.daysSince1970 - 1)))
    }

    /// Returns the samples of a month, which must be later than the previous one.
    mutating func samples(of month: String) async throws -> [Sample] {
        var found: [Sample] = []
        while true {
            while let (samples, used) = pending, used < samples.count {
                let own = MonthSums.name(samples.start(at: used))
                if own > month { return found }
                if own == month { found.append(samples[used]) }
                pending = (samples, used + 1)
            }
            guard let next = try await spans.next() else { return found }
            pending = (next, 0)
        }
    }
}
