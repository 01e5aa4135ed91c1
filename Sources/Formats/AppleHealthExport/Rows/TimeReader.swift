import ByteSpans
import CivilTime

/// Reads Apple's times fast: most have the same day and offset as the previous one.
struct TimeReader: Sendable {
    private var monthWord: UInt64 = 0
    /// The day, the space after it and the colon; initially a value that no masked bytes can have.
    private var middleWord = UInt64.max
    /// The colon, the space and the offset without its last digit.
    private var endWord: UInt64 = 0
    private var offsetLast: UInt8 = 0
    /// Midnight of the cached day at the cached offset, in seconds since 1970.
    private var midnight = 0
    /// The offset of the time that was read last.
    private(set) var offsetMinutes = 0

    private static let middleMask: UInt64 = 0x0000_ff00_00ff_ffff
    private static let endMask: UInt64 = 0xffff_ffff_ff00_00ff

    /// Returns the seconds since 1970 of the time at `start`; nil if the bytes are not exactly in Apple's format.
    @inline(__always)
    mutating func read(_ bytes: Span<UInt8>, at start: Int) -> Int? {
        guard bytes.count - start >= Timestamp.length else { return nil }
        let text = bytes.extracting(start..<(start + Timestamp.length))
        // "2023-05-" "13 10:36" ":12 +020" "0"
        let (month, middle, end) = (text.word(at: 0), text.word(at: 8), text.word(at: 16))
        let others = (middle & Self.middleMask ^ middleWord) | (end & Self.endMask ^ endWord)
        let last = UInt64(text[24] ^ offsetLast)
        if month ^ monthWord | others | last != 0 {
            guard readSlowly(text, month, middle, end) else { return nil }
        }
        let digits = middle &>> 24 & 0xffff | (middle &>> 48) &<< 16 | (end &>> 8 & 0xffff) &<< 32
        guard let second = Self.secondOfDay(EightBytes(digits)) else { return nil }
        return midnight &+ second
    }

    /// Returns the second of the day for a two-digit hour, minute and second; nil if they are not digits or are too
    /// large.
    @inline(__always)
    private static func secondOfDay(_ digits: EightBytes) -> Int? {
        guard digits.digitCount == 6 else { return nil }
        let pairs = digits.pairs
        // An hour of 24 or more, or a minute or second of 60 or more, would set the high bit.
        guard (pairs &+ (104 | 68 << 16 | 68 << 32)) & 0x80_0080_0080 == 0 else { return nil }
        let (hour, minute) = (pairs & 0xff, pairs &>> 16 & 0xff)
        return Int(truncatingIfNeeded: hour &* 3600 &+ minute &* 60 &+ pairs &>> 32 & 0xff)
    }

    /// Remembers the day and the offset of a time; false if it is not one.
    private mutating func readSlowly(
        _ text: Span<UInt8>, _ month: UInt64, _ middle: UInt64, _ end: UInt64
    ) -> Bool {
        guard let time = Timestamp(apple: text) else { return false }
        monthWord = month
        middleWord = middle & Self.middleMask
        endWord = end & Self.endMask
        offsetLast = text[24]
        offsetMinutes = time.offsetMinutes
        let local = time.seconds + time.offsetMinutes * 60
        let secondOfDay = ((local % 86400) + 86400) % 86400
        midnight = time.seconds - secondOfDay
        return true
    }
}
