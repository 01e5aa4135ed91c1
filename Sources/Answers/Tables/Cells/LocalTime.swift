package import ByteText

/// A formatter for times in the time zone of `days`.
package struct LocalTime {
    package let days: Days

    /// Creates a formatter for times in the time zone of `days`.
    package init(days: Days) { self.days = days }

    /// Returns the time with its offset: `2024-05-01T08:15:00+02:00`.
    package func iso(_ time: Timestamp) -> String { days.timestamp(time.seconds).iso }

    /// Returns the day and the time: `2024-05-01 08:15:00`.
    package func text(_ time: Timestamp?) -> String {
        guard let time else { return "" }
        let local = iso(time).prefix(19)
        return local.prefix(10) + " " + local.dropFirst(11)
    }

    /// Returns an end time, without the day if that is the start's; empty if it equals the start.
    package func end(_ end: Timestamp?, from start: Timestamp?) -> String {
        guard let end, end.seconds != start?.seconds else { return "" }
        let (first, last) = (text(start), text(end))
        return first.prefix(10) == last.prefix(10) ? String(last.dropFirst(11)) : last
    }
}
