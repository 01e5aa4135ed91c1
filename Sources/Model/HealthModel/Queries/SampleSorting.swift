import ByteText

/// The fields by which a list of samples can be sorted.
public enum SampleSorting: String, CaseIterable, Sendable {
    /// By start, the earliest first.
    case start
    /// By end, the earliest first.
    case end
    /// By length, the longest first; that of a workout is without pauses.
    case duration
    /// By value, the greatest first.
    case value
    /// By the name of the source.
    case source

    /// Returns the key of a sample; the smallest comes first.
    package func key(of sample: AnySample, _ type: AnySampleType) -> Key {
        switch self {
        case .start: Key(sample.startDate?.seconds)
        case .end: Key((sample.endDate ?? sample.startDate)?.seconds)
        case .duration: Key(Self.seconds(of: sample, type).map { -$0 })
        case .value: Key(Self.value(of: sample, type).map { -$0 })
        case .source: sample.sourceName.map { Key.text($0) } ?? .missing
        }
    }

    /// What a sample is sorted by; samples without it come last.
    package enum Key: Comparable, Sendable {
        case number(Double)
        case text(String)
        case missing

        init(_ seconds: Int?) { self = seconds.map { Key.number(Double($0)) } ?? .missing }
        init(_ value: Double?) { self = value.map { Key.number($0) } ?? .missing }
    }

    /// Returns how long a sample took; nil if that is not known.
    private static func seconds(of sample: AnySample, _ type: AnySampleType) -> Double? {
        if type == .workout { return Workout(row: sample.row).durationSeconds }
        return sample.startDate.map { Double((sample.endDate ?? $0).seconds - $0.seconds) }
    }

    /// Returns the value in one unit: units may have changed over the years.
    private static func value(of sample: AnySample, _ type: AnySampleType) -> Double? {
        let quantity = QuantitySample(row: sample.row)
        return type.preferredUnit(in: .metric).flatMap { quantity.value(in: $0) } ?? quantity.value
    }
}
