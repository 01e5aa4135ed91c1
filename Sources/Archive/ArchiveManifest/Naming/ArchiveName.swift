import ByteSpans
public import CivilTime
public import SystemIO

/// The name of an export at a destination: `health-2026-11-23.hvault`, continued by `health-2026-11-23.2.hvault`.
///
/// The day is that of the export's run. Names contain no personal data, and are valid on every file system.
public struct ArchiveName: Sendable, Hashable, Comparable {
    /// The day.
    public let day: CivilDate
    /// 1 for the first export of that day, and so on.
    public let series: Int
    /// 1 for a full export, and a higher number for each that continues it.
    public let link: Int

    private static let stem: BytePath = "health-"

    /// Makes a name.
    public init(day: CivilDate, series: Int = 1, link: Int = 1) {
        self.day = day
        self.series = series
        self.link = link
    }

    /// Reads a name without its suffix; nil if it does not have this form.
    public init?(_ name: BytePath) {
        guard let rest = name.dropping(prefix: Self.stem) else { return nil }
        let bytes = Array(rest.bytes)
        guard bytes.count >= 10, let day = CivilDate(bytes.span.extracting(0..<10)) else { return nil }
        var (series, link) = (1, 1)
        var tail = bytes[10...]
        for (mark, number) in [(UInt8(ascii: "-"), \ArchiveName.series), (UInt8(ascii: "."), \.link)]
        where tail.first == mark {
            let digits = tail.dropFirst().prefix { $0 &- 0x30 < 10 }
            guard let value = Int(String(decoding: digits, as: UTF8.self)), value > 1, value < 1_000_000
            else {
                return nil
            }
            if number == \ArchiveName.series { series = value } else { link = value }
            tail = tail.dropFirst(1 + digits.count)
        }
        self.init(day: day, series: series, link: link)
        // Numbers may have been written with leading zeroes.
        guard tail.isEmpty, base == name else { return nil }
    }

    /// The name without a suffix.
    public var base: BytePath {
        let number = series > 1 ? "-\(series)" : ""
        let part = link > 1 ? ".\(link)" : ""
        return "\(Self.stem)\(day.description)\(number)\(part)"
    }

    /// Orders names by the time at which they were made.
    public static func < (left: ArchiveName, right: ArchiveName) -> Bool {
        (left.day.daysSince1970, left.series, left.link) < (right.day.daysSince1970, right.series, right.link)
    }
}
