/// A time of day, to the minute.
public struct TimeOfDay: Sendable, Equatable {
    /// The hour, 0 to 23.
    public private(set) var hour = 0
    /// The minute, 0 to 59.
    public private(set) var minute = 0

    /// Creates midnight.
    init() {}

    /// Creates a time; nil if it is out of range.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// Reads `HH:MM` or `H:MM`; nil if the text is not a time.
    public init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0 &- 0x30 < 10 } }),
            let hour = Int(String(Substring(parts[0]))), let minute = Int(String(Substring(parts[1])))
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// The time as `HH:MM`.
    public var text: String { Self.digits(hour) + ":" + Self.digits(minute) }

    static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
