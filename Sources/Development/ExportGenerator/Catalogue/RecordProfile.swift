/// The characteristics of the records of one type.
struct RecordProfile {
    let type: String
    let unit: String?
    let value: ValueShape

    /// The share of the records' bytes, relative to the weights of the other types.
    let weight: Int

    /// The year in which the type was introduced.
    let since: Int

    /// Where records come from; an origin that is listed twice is twice as likely.
    let origins: [Origin]

    /// Seconds from the start of one record to that of the next; fewer if the years are too short for all records.
    let gap: Int

    /// Seconds from the start of a record to its end.
    let duration: ClosedRange<Int>

    let metadata: [MetadataTemplate]

    /// Whether the records occur only at night.
    var isNightly = false

    /// Whether the records list the heartbeats they were computed from.
    var hasHeartbeats = false

    static func quantity(
        _ name: String, _ unit: String, _ value: ValueShape, weight: Int, since: Int = 2014,
        from origins: [Origin], every gap: Int = 3600, lasting duration: ClosedRange<Int> = 0...0,
        _ metadata: MetadataTemplate...
    ) -> RecordProfile {
        RecordProfile(
            type: "HKQuantityTypeIdentifier" + name, unit: unit, value: value, weight: weight, since: since,
            origins: origins, gap: gap, duration: duration, metadata: metadata)
    }

    static func category(
        _ name: String, _ value: ValueShape, weight: Int, since: Int = 2014, from origins: [Origin],
        every gap: Int = 3600, lasting duration: ClosedRange<Int> = 0...0, _ metadata: MetadataTemplate...
    ) -> RecordProfile {
        RecordProfile(
            type: "HKCategoryTypeIdentifier" + name, unit: nil, value: value, weight: weight, since: since,
            origins: origins, gap: gap, duration: duration, metadata: metadata)
    }

    func atNight() -> RecordProfile {
        var profile = self
        profile.isNightly = true
        return profile
    }

    func withHeartbeats() -> RecordProfile {
        var profile = self
        profile.hasHeartbeats = true
        return profile
    }
}
