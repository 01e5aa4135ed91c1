/// An instant and the offset it was written with, at Apple's resolution of one second.
public struct Timestamp: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int
    /// Minutes east of UTC as written; Apple always uses the exporter's offset at export time.
    public let offsetMinutes: Int

    /// Creates a timestamp.
    public init(seconds: Int, offsetMinutes: Int) {
        self.seconds = seconds
        self.offsetMinutes = offsetMinutes
    }

    /// The seconds of the years 1 to 9998, which both forms can represent with any offset.
    public static let writableSeconds = -62_135_596_800...253_370_764_799

    /// Length of Apple's form and of the ISO form in bytes.
    public static let length = 25

    /// Reads `yyyy-MM-dd HH:mm:ss ±HHMM`, as Apple writes it, if the text is exactly what `appendApple` would write.
    public init?(apple text: Span<UInt8>) {
        guard text.count == Self.length, text[10] == UInt8(ascii: " "), text[19] == UInt8(ascii: " ") else {
            return nil
        }
        self.init(parts: text)
    }

    /// Reads `yyyy-MM-ddTHH:mm:ss±HH:MM` if the text is exactly what `appendISO` would write.
    public init?(iso text: Span<UInt8>) {
        guard text.count == Self.length, text[10] == UInt8(ascii: "T"), text[22] == UInt8(ascii: ":") else {
            return nil
        }
        self.init(parts: text)
    }

    /// Length of the compact form in bytes.
    public static let compactLength = 19

    /// Reads `yyyyMMddHHmmss±HHMM`, as iOS 8 and HL7 write it.
    public init?(compact text: Span<UInt8>) {
        guard text.count == Self.compactLength else { return nil }
        var apple: [UInt8] = []
        var start = 0
        for (length, mark) in [(4, "-"), (2, "-"), (2, " "), (2, ":"), (2, ":"), (2, " "), (5, "")] {
            for index in start..<(start + length) { apple.append(text[index]) }
            apple += Array(mark.utf8)
            start += length
        }
        self.init(apple: apple.span)
    }

    /// Reads the compact form in a JSON string.
    public init?(compactToken token: Span<UInt8>) {
        guard token.count == Self.compactLength + 2 else { return nil }
        self.init(compact: token.extracting(1..<(token.count - 1)))
    }

    /// Reads a time as any version of the Health app writes it: since iOS 9 as `init(apple:)`, before as
    /// `init(compact:)`.
    public init?(healthApp text: Span<UInt8>) {
        if text.count == Self.compactLength {
            self.init(compact: text)
        } else {
            self.init(apple: text)
        }
    }

    /// Reads the digits and the sign; only the sign's place differs between the two forms.
    private init?(parts text: Span<UInt8>) {
        let apple = text[10] == UInt8(ascii: " ")
        let sign = apple ? 20 : 19
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), let year = Self.digits(text, 0, 4),
            let month = Self.digits(text, 5, 2),
            let day = Self.digits(text, 8, 2), let hour = Self.digits(text, 11, 2),
            let minute = Self.digits(text, 14, 2), let second = Self.digits(text, 17, 2),
            let east = Self.digits(text, sign + 1, 2), let rest = Self.digits(text, 23, 2),
            let days = CivilDate(year: year, month: month, day: day)?.daysSince1970,
            hour < 24, minute < 60, second < 60, east < 24, rest < 60
        else { return nil }
        let magnitude = east * 60 + rest
        switch text[sign] {
        case UInt8(ascii: "+"): offsetMinutes = magnitude
        // "-0000" would be written as "+0000", so it is not accepted.
        case UInt8(ascii: "-") where magnitude > 0: offsetMinutes = -magnitude
        default: return nil
        }
        seconds = days * 86400 + hour * 3600 + minute * 60 + second - offsetMinutes * 60
        guard Self.writableLocally.contains(seconds + offsetMinutes * 60) else { return nil }
    }

    /// Local seconds of the years 1 to 9999, which have four digits.
    private static let writableLocally = -62_135_596_800..<253_402_300_800

    /// Returns the number that `count` digits form; nil if a byte is not a digit.
    @inline(__always)
    static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for index in start..<(start + count) {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Returns the instants, in seconds, that can be written with an offset.
    public static func writable(offsetMinutes: Int) -> Range<Int> {
        guard offsetMinutes.magnitude < 24 * 60 else { return 0..<0 }
        let east = offsetMinutes * 60
        return (writableLocally.lowerBound - east)..<(writableLocally.upperBound - east)
    }

    /// Appends `yyyy-MM-dd HH:mm:ss ±HHMM`.
    public func appendApple(to output: inout [UInt8]) { append(to: &output, iso: false) }

    /// Appends `yyyy-MM-ddTHH:mm:ss±HH:MM` (ISO 8601, RFC 3339).
    public func appendISO(to output: inout [UInt8]) { append(to: &output, iso: true) }

    /// The day at its offset.
    public var day: CivilDate {
        CivilDate(daysSince1970: (seconds + offsetMinutes * 60).flooredQuotient(by: 86400))
    }

    /// The ISO form as text.
    public var iso: String {
        var bytes: [UInt8] = []
        appendISO(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The offset as the ISO form writes it: `+02:00`.
    public var offset: String { String(iso.suffix("+00:00".utf8.count)) }

    /// The instant in UTC, in the form that RFC 3339 prefers: with `Z` for the offset.
    public var utc: String {
        String(Timestamp(seconds: seconds, offsetMinutes: 0).iso.dropLast("+00:00".utf8.count)) + "Z"
    }

    private func append(to output: inout [UInt8], iso: Bool) {
        let local = seconds + offsetMinutes * 60
        let days = local.flooredQuotient(by: 86400)
        let time = local - days * 86400
        let date = CivilDate(daysSince1970: days)
        let east = abs(offsetMinutes)
        output.append(addingCapacity: Self.length) { (bytes: inout OutputSpan<UInt8>) in
            func two(_ value: Int) {
                bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 10))
                bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
            }
            // The years 0 and 10000 occur when a time at the limit is written with another offset.
            let year = min(max(date.year, 0), 9999)
            two(year / 100)
            two(year % 100)
            bytes.append(UInt8(ascii: "-"))
            two(date.month)
            bytes.append(UInt8(ascii: "-"))
            two(date.day)
            bytes.append(iso ? UInt8(ascii: "T") : UInt8(ascii: " "))
            two(time / 3600)
            bytes.append(UInt8(ascii: ":"))
            two(time / 60 % 60)
            bytes.append(UInt8(ascii: ":"))
            two(time % 60)
            if !iso { bytes.append(UInt8(ascii: " ")) }
            bytes.append(offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            two(east / 60)
            if iso { bytes.append(UInt8(ascii: ":")) }
            two(east % 60)
        }
    }
}

extension Timestamp: Comparable {
    /// Orders by instant, then by offset, the westernmost first.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.offsetMinutes) < (right.seconds, right.offsetMinutes)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The ISO form: `2024-02-29T12:00:00+01:00`.
    public var description: String { iso }
}

extension Timestamp? {
    /// Replaces the value with the earlier of the two.
    @inlinable
    @inline(__always)
    public mutating func lower(to other: Timestamp?) {
        guard let other else { return }
        if let mine = self, mine.seconds <= other.seconds { return }
        self = other
    }

    /// Replaces the value with the later of the two.
    @inlinable
    @inline(__always)
    public mutating func raise(to other: Timestamp?) {
        guard let other else { return }
        if let mine = self, mine.seconds >= other.seconds { return }
        self = other
    }
}
