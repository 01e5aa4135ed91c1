/// Writes times fast by caching the day: most have the same day and offset as the previous one.
public struct TimeWriter: Sendable {
    @usableFromInline var offsetMinutes = Int.min
    /// Midnight at the offset, in seconds since 1970.
    @usableFromInline var midnight = 0
    /// The ISO form of `midnight`.
    @usableFromInline var text: [UInt8] = []

    /// Creates a writer that has not cached a day.
    public init() {}

    /// Appends the same form as `Timestamp.appendISO`; the output must have room for `Timestamp.length` bytes.
    @inlinable
    @inline(__always)
    public mutating func appendISO(
        seconds: Int, offsetMinutes: Int, to output: inout OutputSpan<UInt8>
    ) {
        let time = timeOfDay(seconds: seconds, offsetMinutes: offsetMinutes)
        // "2023-05-13T" "10:36:12" "+02:00"
        let text = text.span
        output.append(copying: text.extracting(0..<11))
        output.append(word: time)
        output.append(copying: text.extracting(19..<25))
    }

    /// Appends the same form as `Timestamp.appendApple`; the output must have room for `Timestamp.length` bytes.
    @inlinable
    @inline(__always)
    public mutating func appendApple(
        seconds: Int, offsetMinutes: Int, to output: inout OutputSpan<UInt8>
    ) {
        let time = timeOfDay(seconds: seconds, offsetMinutes: offsetMinutes)
        // "2023-05-13" "10:36:12" "+02" "00"
        let text = text.span
        output.append(copying: text.extracting(0..<10))
        output.append(UInt8(ascii: " "))
        output.append(word: time)
        output.append(UInt8(ascii: " "))
        output.append(copying: text.extracting(19..<22))
        output.append(copying: text.extracting(23..<25))
    }

    /// Returns the time of day, `10:36:12`, and caches the day.
    @inlinable
    @inline(__always)
    mutating func timeOfDay(seconds: Int, offsetMinutes: Int) -> UInt64 {
        var second = seconds &- midnight
        if offsetMinutes != self.offsetMinutes || second < 0 || second >= 86400 {
            remember(Timestamp(seconds: seconds, offsetMinutes: offsetMinutes))
            second = seconds &- midnight
        }
        let day = UInt64(truncatingIfNeeded: second)
        return Self.digits(day / 3600) | 0x3a << 16 | Self.digits(day / 60 % 60) << 24 | 0x3a << 40
            | Self.digits(day % 60) << 48
    }

    /// Returns two digits as a number, the first in the lowest bits.
    @inlinable
    @inline(__always)
    static func digits(_ value: UInt64) -> UInt64 { 0x3030 | value / 10 | (value % 10) << 8 }

    @usableFromInline
    @inline(never)
    mutating func remember(_ time: Timestamp) {
        let local = time.seconds + time.offsetMinutes * 60
        offsetMinutes = time.offsetMinutes
        midnight = time.seconds - (local - local.flooredQuotient(by: 86400) * 86400)
        text = []
        Timestamp(seconds: midnight, offsetMinutes: offsetMinutes).appendISO(to: &text)
    }
}

/// Writes instants in the zone of days, each with the zone's offset at that time.
public struct LocalTimeWriter: Sendable {
    private let days: Days
    private var writer = TimeWriter()
    /// The instants that have the offset of the last one.
    private var range = 0..<0
    private var offsetMinutes = 0

    /// Creates a writer.
    public init(_ days: Days) { self.days = days }

    /// Appends the ISO form of `Days.timestamp`; the output must have room for `Timestamp.length` bytes.
    public mutating func appendISO(seconds: Int, to output: inout OutputSpan<UInt8>) {
        if !range.contains(seconds) {
            range = days.range(around: seconds)
            offsetMinutes = days.timestamp(seconds).offsetMinutes
        }
        writer.appendISO(seconds: seconds, offsetMinutes: offsetMinutes, to: &output)
    }
}
