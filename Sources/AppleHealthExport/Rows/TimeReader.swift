import ByteSpans
import HealthModel

/// Reads Apple's times fast: most of them are on the same day as the one before and have the same offset.
struct TimeReader: Sendable {
    private var monthWord = UInt64.max
    private var dayWord: UInt64 = 0
    private var offsetWord: UInt64 = 0
    private var offsetLast: UInt8 = 0
    /// Midnight of the cached day at the cached offset, in seconds since 1970.
    private var midnight = 0
    private var offsetMinutes = 0

    /// The time at `start`, nil where the bytes are not exactly Apple's form.
    @inline(__always)
    mutating func read(_ bytes: Span<UInt8>, at start: Int) -> Timestamp? {
        guard start + Timestamp.length <= bytes.count else { return nil }
        // "2023-05-" "13 10:36" ":12 +020" "0"
        let month = bytes.word(at: start)
        let middle = bytes.word(at: start + 8)
        let end = bytes.word(at: start + 16)
        // The day and the space behind it; the space and the offset up to its last digit.
        guard month == monthWord, middle & 0xff_ffff == dayWord, end >> 24 == offsetWord,
            bytes[start + 24] == offsetLast
        else { return readSlowly(bytes, at: start, month, middle, end) }
        let hour = Self.digits(middle >> 24)
        let minute = Self.digits(middle >> 48)
        let second = Self.digits(end >> 8)
        guard hour < 24, minute < 60, second < 60,
            UInt8(truncatingIfNeeded: middle >> 40) == UInt8(ascii: ":"),
            UInt8(truncatingIfNeeded: end) == UInt8(ascii: ":")
        else { return nil }
        return Timestamp(seconds: midnight + hour * 3600 + minute * 60 + second, offsetMinutes: offsetMinutes)
    }

    /// The number of two digits; at least 100 where they are none.
    @inline(__always)
    private static func digits(_ word: UInt64) -> Int {
        let tens = UInt8(truncatingIfNeeded: word) &- 0x30
        let ones = UInt8(truncatingIfNeeded: word >> 8) &- 0x30
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : 100
    }

    private mutating func readSlowly(
        _ bytes: Span<UInt8>, at start: Int, _ month: UInt64, _ middle: UInt64, _ end: UInt64
    ) -> Timestamp? {
        guard let time = Timestamp(apple: bytes.extracting(start..<(start + Timestamp.length))) else {
            return nil
        }
        monthWord = month
        dayWord = middle & 0xff_ffff
        offsetWord = end >> 24
        offsetLast = bytes[start + 24]
        offsetMinutes = time.offsetMinutes
        let local = time.seconds + time.offsetMinutes * 60
        let secondOfDay = ((local % 86400) + 86400) % 86400
        midnight = time.seconds - secondOfDay
        return time
    }
}
