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

    /// Sorts samples; those without what they are sorted by come last, and ties keep their order.
    public func sorted(_ samples: [AnySample], _ type: AnySampleType) -> [AnySample] {
        switch self {
        case .start: Self.ascending(samples) { $0.startDate?.seconds }
        case .end: Self.ascending(samples) { ($0.endDate ?? $0.startDate)?.seconds }
        case .duration:
            Self.ascending(samples) { sample in
                sample.startDate.map { $0.seconds - (sample.endDate ?? $0).seconds }
            }
        case .value:
            // Units may have changed over the years.
            Self.ascending(samples) { sample in
                let quantity = QuantitySample(row: sample.row)
                let own = type.preferredUnit(in: .metric).flatMap { quantity.value(in: $0) } ?? quantity.value
                return own.map { -$0 }
            }
        case .source: Self.ascending(samples) { $0.sourceName }
        }
    }

    private static func ascending<Key: Comparable>(
        _ samples: [AnySample], _ key: (AnySample) -> Key?
    ) -> [AnySample] {
        let keyed = samples.enumerated().map { (place: $0.offset, key: key($0.element), sample: $0.element) }
        return keyed.sorted { left, right in
            switch (left.key, right.key) {
            case (let mine?, let theirs?): mine != theirs ? mine < theirs : left.place < right.place
            case (nil, nil): left.place < right.place
            default: right.key == nil
            }
        }.map(\.sample)
    }
}
