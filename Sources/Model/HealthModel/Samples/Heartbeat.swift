/// One of the heartbeats that a heart rate variability was computed from.
public struct Heartbeat: Sendable, Equatable {
    /// The rate at this beat, in beats per minute.
    public let beatsPerMinute: Double
    /// The time of day as written, in the format of the phone's language: `6:14:48.94 PM`, `17:07:00,29`.
    public let timeText: String

    /// The seconds since midnight on the clock of the phone; nil if the text is in an unknown form.
    public var secondsOfDay: Double? {
        let digits = timeText.split { !"0123456789".contains($0) }.map { Double($0) }
        guard digits.count >= 3, var hour = digits[0], let minute = digits[1], let second = digits[2],
            hour < 24, minute < 60, second < 61
        else { return nil }
        let upper = Substring(timeText.uppercased())
        if upper.contains(text: "PM"), hour < 12 { hour += 12 }
        if upper.contains(text: "AM"), hour == 12 { hour = 0 }
        var fraction = 0.0
        if digits.count > 3, let number = digits[3] {
            let length = timeText.split { !"0123456789".contains($0) }[3].count
            fraction = (0..<min(length, 18)).reduce(number) { value, _ in value / 10 }
        }
        return hour * 3600 + minute * 60 + second + fraction
    }

    /// Returns the beats in the content of a row.
    static func list(_ row: SampleRow) -> [Heartbeat] {
        guard row.hasContent else { return [] }
        return row.elements("HeartRateVariabilityMetadataList")
            .flatMap { $0.elements("InstantaneousBeatsPerMinute") }
            .compactMap { beat in
                guard let rate = beat.number("bpm") else { return nil }
                return Heartbeat(beatsPerMinute: rate, timeText: beat["time"] ?? "")
            }
    }
}

/// A series of heartbeats.
///
/// An export has no separate samples for these: the beats are in the samples of heart rate variability.
public struct HeartbeatSeries: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row of the heart rate variability sample.
    public let row: SampleRow
    /// Creates a series from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The beats, in order.
    public var heartbeats: [Heartbeat] { Heartbeat.list(row) }
}

extension SampleType where Sample == HeartbeatSeries {
    /// Series of heartbeats.
    public static var heartbeatSeries: Self { Self(unchecked: .heartbeatSeries) }
}
