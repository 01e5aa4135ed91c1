public import ByteText
public import FoundationEssentials

extension Timestamp {
    /// The instant of a date, rounded down to a second as Apple's export has them.
    ///
    /// - Parameters:
    ///   - date: The instant.
    ///   - offsetMinutes: Minutes east of UTC to write it with; they change no instant.
    /// - Returns: nil for instants that have no year of four digits at this offset.
    public init?(_ date: Date, offsetMinutes: Int = 0) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let seconds = Int(exactly: seconds),
            Timestamp.writable(offsetMinutes: offsetMinutes).contains(seconds)
        else { return nil }
        self.init(seconds: seconds, offsetMinutes: offsetMinutes)
    }

    /// The instant as Foundation has it; the offset is left out.
    public var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension Date {
    /// The instant of a timestamp; the offset is left out.
    public init(_ timestamp: Timestamp) { self = timestamp.date }
}

extension CivilDate {
    /// The day that components name: year, month and day; nil where one is missing or there is no such day.
    public init?(_ components: DateComponents) {
        guard let year = components.year, let month = components.month, let day = components.day else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    /// The day that it is at an instant in a time zone; nil outside of the years 1 to 9999.
    public init?(_ date: Date, in zone: TimeZone) {
        let offset = zone.secondsFromGMT(for: date)
        let local = (date.timeIntervalSince1970 + Double(offset)).rounded(.down)
        guard let seconds = Int(exactly: local), Timestamp.writable(offsetMinutes: 0).contains(seconds) else {
            return nil
        }
        self = Timestamp(seconds: seconds, offsetMinutes: 0).day
    }

    /// Year, month and day.
    public var dateComponents: DateComponents { DateComponents(year: year, month: month, day: day) }
}
