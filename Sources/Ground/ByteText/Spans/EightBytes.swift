/// Eight bytes of text that are examined together, with arithmetic on a word instead of a branch for each byte.
///
/// Each mask below has the high bit of a byte set where something was found. Only the lowest set bit is reliable:
/// the ones above it may be wrong, because the carry of a byte goes into the next one.
public struct EightBytes: Sendable {
    /// The bytes, the first in the lowest bits.
    @usableFromInline let word: UInt64

    @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Creates a value from a word with the first byte in its lowest bits.
    @inlinable
    @inline(__always)
    public init(_ word: UInt64) { self.word = word }

    /// Number of digits before the first byte that is not one.
    @inlinable
    @inline(__always)
    public var digitCount: Int {
        Self.place(Self.noDigits(word ^ 0x30 &* Self.ones))
    }

    /// Number of digits before the first byte that is not one, and number of bytes before the second that is not; the latter
    /// only if the first is ASCII.
    @inlinable
    @inline(__always)
    public var digitCounts: (first: Int, second: Int) {
        let others = Self.noDigits(word ^ 0x30 &* Self.ones)
        return (Self.place(others), Self.place(others & (others &- 1)))
    }

    /// Returns a mask of the bytes that are more than nine.
    @inlinable
    @inline(__always)
    static func noDigits(_ values: UInt64) -> UInt64 { (values &+ 0x76 &* ones | values) & highBits }

    /// Whether the bytes are four digits, each followed by a comma.
    @inlinable
    @inline(__always)
    public var areFourDigits: Bool {
        let values = word ^ 0x2c30_2c30_2c30_2c30
        // After the XOR, a digit is at most nine and a comma is zero.
        return values & 0xfff0_fff0_fff0_fff0 == 0
            && (values &+ 0x0006_0006_0006_0006) & 0x0010_0010_0010_0010 == 0
    }

    /// Returns the numbers that the pairs of digits form, 16 bits each.
    @inlinable
    @inline(__always)
    static func pairs(_ digits: UInt64) -> UInt64 { (digits &* 10 &+ digits &>> 8) & 0x00ff_00ff_00ff_00ff }

    /// Number of hexadecimal digits before the first byte that is not one.
    @inlinable
    @inline(__always)
    public var hexadecimalDigitCount: Int {
        let values = word ^ 0x30 &* Self.ones
        let letters = (word | 0x20 &* Self.ones) ^ 0x60 &* Self.ones
        let noDigits = Self.noDigits(values)
        let noLetters = letters &+ 0x79 &* Self.ones | letters | Self.zeros(letters)
        return Self.place(noDigits & noLetters & Self.highBits)
    }

    /// The byte at a position.
    @inlinable
    @inline(__always)
    public subscript(_ place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: 8 * place))
    }

    /// Number of bytes before the first one that is not plain ASCII in a JSON string: a quote, a backslash, a control
    /// character, or anything from 0x7f on.
    @inlinable
    @inline(__always)
    public var plainCount: Int {
        let quotes = Self.zeros(word ^ 0x22 &* Self.ones)
        let slashes = Self.zeros(word ^ 0x5c &* Self.ones)
        let controls = word &- 0x20 &* Self.ones
        let others = word &+ Self.ones | word
        return Self.place((quotes | slashes | controls | others) & Self.highBits)
    }

    /// Number of bytes before the first quote.
    @inlinable
    @inline(__always)
    public var unquotedCount: Int { Self.place(Self.zeros(word ^ 0x22 &* Self.ones) & Self.highBits) }

    /// Number of bytes before the first quote or backslash.
    @inlinable
    @inline(__always)
    public var stringCount: Int {
        let quotes = Self.zeros(word ^ 0x22 &* Self.ones)
        let slashes = Self.zeros(word ^ 0x5c &* Self.ones)
        return Self.place((quotes | slashes) & Self.highBits)
    }

    /// Number of bytes before the first one that is not plain in a JSON string, an ampersand, or a less-than sign.
    @inlinable
    @inline(__always)
    var plainMarkupCount: Int {
        let ampersands = Self.zeros(word ^ 0x26 &* Self.ones)
        let brackets = Self.zeros(word ^ 0x3c &* Self.ones)
        return min(plainCount, Self.place((ampersands | brackets) & Self.highBits))
    }

    /// Returns the number that the first `count` bytes form, which must all be digits; `count` is 1 to 8.
    @inlinable
    @inline(__always)
    public func number(ofDigits count: Int) -> Int {
        // Shifts in leading zeros.
        Self.number(
            ofShiftedDigits: (word ^ 0x30 &* Self.ones) &<< UInt64(truncatingIfNeeded: 64 - 8 * count))
    }

    /// Returns the number that eight digits form, given by their values.
    @inlinable
    @inline(__always)
    static func number(ofShiftedDigits digits: UInt64) -> Int {
        // Combines neighbours into pairs, and pairs into fours.
        let pairs = Self.pairs(digits)
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_ffff_0000_ffff
        return Int(truncatingIfNeeded: (fours &* 10_000 &+ fours >> 32) & 0xffff_ffff)
    }

    /// Returns a mask of the bytes that are zero.
    @inlinable
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

    /// Returns a mask of the bytes that are zero, in which every bit is reliable.
    @inline(__always)
    static func exactZeros(_ word: UInt64) -> UInt64 {
        let low = ~highBits
        return ~((word & low) &+ low | word | low)
    }

    @inlinable
    @inline(__always)
    static func place(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

extension Span<UInt8> {
    /// Returns the end of a run of bytes, as far as eight of them can be examined at once.
    ///
    /// - Parameter count: Returns how many of eight bytes belong to the run.
    @inlinable
    @inline(__always)
    public func endOfRun(from start: Int, _ count: (EightBytes) -> Int) -> Int {
        var place = start
        while place + 8 <= self.count {
            let run = count(EightBytes(word(at: place)))
            place += run
            if run < 8 { break }
        }
        return place
    }

    /// Whether there is a byte below 0x20.
    public var hasControls: Bool {
        var place = 0
        var found: UInt64 = 0
        while place <= count - 8 {
            let word = word(unchecked: place)
            // Wrong at most above a byte that is one.
            found |= (word &- 0x20 &* EightBytes.ones) & ~word
            place += 8
        }
        if found & EightBytes.highBits != 0 { return true }
        while place < count {
            if self[place] < 0x20 { return true }
            place += 1
        }
        return false
    }

    /// Returns the end of the bytes from `start` on that are plain ASCII both in a JSON string and in a value of XML between
    /// double quotes.
    @inlinable
    @inline(__always)
    public func endOfPlainMarkup(from start: Int) -> Int {
        var place = endOfRun(from: start) { $0.plainMarkupCount }
        while place < count {
            let byte = self[place]
            // As above, for the last bytes.
            guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
                byte != UInt8(ascii: "&"), byte != UInt8(ascii: "<")
            else { break }
            place += 1
        }
        return place
    }

    /// Returns the end of the hexadecimal digits that begin at `start`.
    @inlinable
    @inline(__always)
    public func endOfHexadecimal(from start: Int) -> Int {
        var place = endOfRun(from: start) { $0.hexadecimalDigitCount }
        while place < count, Hexadecimal.isDigit(self[place]) { place += 1 }
        return place
    }
}
