import ByteText
public import HealthModel

/// A batch of a session: samples of one type that start in the same time span.
public struct ExportBatch: Sendable, Equatable {
    /// The outcome of a batch.
    public enum Result: Sendable, Equatable {
        /// The batch was processed.
        case success
        /// The batch failed for this reason.
        case failure(errorDescription: String)
    }

    /// The type of the samples.
    public let sampleType: AnySampleType
    /// The range in which the samples start, in seconds since 1970-01-01T00:00:00Z.
    ///
    /// It is the part of the calendar span within the session's range; nil for samples without a start time, or if
    /// neither the span nor the session has a start.
    public let timeRange: Range<Int>?
    /// The part number: 1, or higher if the span has more samples than fit in a batch.
    public let part: Int
    /// The number of samples.
    public let count: Int
    /// The outcome; nil while the batch is pending.
    public var result: Result?

    /// A description for users: `Heart Rate (March 2024)`, `Heart Rate (2024)`, or with the first and last day.
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
