import ByteText

/// Reads Apple's times fast: most have the same day and offset as the previous one.
struct TimeReader: Sendable {
    // The day and the offset with the spaces beside the time, as words some of which overlap: "2023-05-" "3-05-13 " " +0200".
    // Initially one has a value that no bytes can have.
    private var monthWord: UInt64 = 0
    private var dayWord: UInt64 = 0
    private var offsetWord: UInt64 = 1
    /// Midnight of the cached day at the cached offset, in seconds since 1970.
    private(set) var midnight = 0
    /// The offset of the time that was read last.
    private(set) var offsetMinutes = 0

    /// Where the time of day starts in a time.
    static let dayLength = 11
    /// The second of the minute is in the same word as the offset.
    private static let offsetMask: UInt64 = 0xffff_ffff_ffff_0000

    /// Returns the seconds since 1970 of the time at `start`; nil if the bytes are not exactly in Apple's format.
    @inline(__always)
    mutating func read(_ bytes: Span<UInt8>, at start: Int) -> Int? {
        guard bytes.count - start >= Timestamp.length else { return nil }
        let text = bytes.extracting(start..<(start + Timestamp.length))
        let (month, day, offset) = (text.word(at: 0), text.word(at: 3), text.word(at: 17) & Self.offsetMask)
        if (month ^ monthWord) | (day ^ dayWord) | (offset ^ offsetWord) != 0 {
            guard readSlowly(text, month, day, offset) else { return nil }
        }
        guard let second = Self.secondOfDay(text.word(at: Self.dayLength)) else { return nil }
        return midnight &+ second
    }

    /// Returns the second of the day for eight bytes such as "10:36:12"; nil if they are not that, or a number is too large.
    @inline(__always)
    static func secondOfDay(_ text: UInt64) -> Int? {
        // Of a digit, its value is left, and of a colon nothing; anything else would set the high bit.
        let digits = text ^ 0x3030_3a30_303a_3030
        guard (digits &+ 0x7676_7f76_767f_7676 | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // The bytes 0, 3 and 6 are the hour, the minute and the second.
        let pairs = digits &* 10 &+ digits &>> 8
        // An hour of 24 or more, or a minute or second of 60 or more, would set the high bit.
        guard (pairs &+ (104 | 68 << 24 | 68 << 48)) & 0x0080_0000_8000_0080 == 0 else { return nil }
        let (hour, minute, second) = (pairs & 0xff, pairs &>> 24 & 0xff, pairs &>> 48 & 0xff)
        return Int(truncatingIfNeeded: (hour &* 60 &+ minute) &* 60 &+ second)
    }

    /// Remembers the day and the offset of a time; false if it is not one.
    private mutating func readSlowly(
        _ text: Span<UInt8>, _ month: UInt64, _ day: UInt64, _ offset: UInt64
    ) -> Bool {
        guard let time = Timestamp(apple: text) else { return false }
        (monthWord, dayWord, offsetWord) = (month, day, offset)
        offsetMinutes = time.offsetMinutes
        let local = time.seconds + time.offsetMinutes * 60
        let secondOfDay = ((local % 86400) + 86400) % 86400
        midnight = time.seconds - secondOfDay
        return true
    }
}
