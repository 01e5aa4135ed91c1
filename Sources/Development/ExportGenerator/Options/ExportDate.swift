extension GeneratorOptions {
    /// An instant with the UTC offset of all dates in an export.
    public struct ExportDate: Sendable, Hashable {
        /// Seconds since 1970-01-01 00:00:00 UTC.
        public var secondsSince1970: Int

        /// Seconds east of UTC.
        public var offsetSeconds: Int

        /// Creates an export date from numbers.
        ///
        /// - Parameters:
        ///   - secondsSince1970: Seconds since 1970-01-01 00:00:00 UTC.
        ///   - offsetSeconds: Seconds east of UTC.
        public init(secondsSince1970: Int, offsetSeconds: Int) {
            self.secondsSince1970 = secondsSince1970
            self.offsetSeconds = offsetSeconds
        }

        /// Parses a date as Apple writes it, `2026-01-15 09:30:00 +0100`; nil for any other text.
        ///
        /// - Parameter text: The date, the time and the offset.
        public init?(_ text: String) {
            let pattern = Array("0000-00-00 00:00:00 +0000".utf8)
            let bytes = Array(text.utf8)
            guard bytes.count == pattern.count else { return nil }
            for (byte, expected) in zip(bytes, pattern) {
                switch expected {
                case UInt8(ascii: "0"):
                    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                case UInt8(ascii: "+"):
                    guard byte == expected || byte == UInt8(ascii: "-") else { return nil }
                default:
                    guard byte == expected else { return nil }
                }
            }
            func number(_ range: Range<Int>) -> Int {
                bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            }
            let date = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
            let hour = number(11..<13)
            let minute = number(14..<16)
            let second = number(17..<19)
            let offset = (number(21..<23) * 60 + number(23..<25)) * 60
            guard
                date == CivilDate(daysSince1970: date.daysSince1970),
                hour < 24, minute < 60, second < 60, offset <= 14 * 3600, number(23..<25) < 60
            else { return nil }
            offsetSeconds = bytes[20] == UInt8(ascii: "-") ? -offset : offset
            secondsSince1970 =
                date.daysSince1970 * secondsPerDay + hour * 3600 + minute * 60 + second - offsetSeconds
        }
    }
}
