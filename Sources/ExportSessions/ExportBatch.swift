public import HealthModel
import SampleBatches

/// A batch of a session: samples of one type that start in one span of time.
public struct ExportBatch: Sendable, Equatable {
    /// What became of a batch.
    public enum Result: Sendable, Equatable {
        /// It was processed.
        case success
        /// It was not, for this reason.
        case failure(errorDescription: String)
    }

    /// What the samples are of.
    public let sampleType: SampleType
    /// Where their starts lie, in seconds since 1970-01-01T00:00:00Z: the calendar span, as far as it is inside the
    /// session's range.
    ///
    /// nil for samples without a start, and where neither span nor session has a beginning.
    public let timeRange: Range<Int>?
    /// 1, and more where the span holds more samples than a batch takes.
    public let part: Int
    /// Number of samples.
    public let count: Int
    /// What became of it, nil while it is pending.
    public var result: Result?

    /// The batch in words: `Heart Rate (March 2024)`, `Heart Rate (2024)`, or with the first and the last day.
    public var userDisplayedDescription: String {
        let part = part == 1 ? "" : ", part \(part)"
        guard let timeRange, !timeRange.isEmpty else { return sampleType.title + part }
        return "\(sampleType.title) (\(Self.words(for: timeRange)))" + part
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    private static func words(for range: Range<Int>) -> String {
        let first = day(range.lowerBound)
        let last = day(range.upperBound - 1)
        if range == SpanRule.months(12).range(around: range.lowerBound) { return String(first.year) }
        if range == SpanRule.months(1).range(around: range.lowerBound) {
            return "\(months[first.month - 1]) \(first.year)"
        }
        return first == last ? text(first) : "\(text(first)) to \(text(last))"
    }

    private static func day(_ seconds: Int) -> CivilDate {
        CivilDate(daysSince1970: (SpanRule.days(1).range(around: seconds)?.lowerBound ?? 0) / 86400)
    }

    private static func text(_ date: CivilDate) -> String {
        date.start.iso.prefix(10).description
    }
}
