// Operations that read several bytes of a span at a time, always within its bounds.

public import Glibc

extension Span<UInt8> {
    /// Returns eight bytes as a number, the first in the lowest bits.
    @inlinable
    @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The same at an offset that is known to have eight bytes.
    @inlinable
    @inline(__always)
    func word(unchecked offset: Int) -> UInt64 {
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns up to seven bytes as a number, the first in the lowest bits.
    @inlinable
    @inline(__always)
    public func partialWord(at offset: Int, count: Int) -> UInt64 {
        if self.count >= offset + 8 { return word(at: offset) & (1 << UInt64(8 * count) - 1) }
        var word: UInt64 = 0
        for place in 0..<count { word |= UInt64(self[offset + place]) << UInt64(8 * place) }
        return word
    }

    /// Whether the bytes at `offset` equal those in `range` of `other`; false if the span ends earlier.
    @inlinable
    @inline(__always)
    public func matches(at offset: Int, _ other: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let length = range.count
        guard offset >= 0, length <= count - offset else { return false }
        precondition(range.lowerBound >= 0 && range.upperBound <= other.count, "a range of the pattern")
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return length == 0 }
                return unsafe RawBytes.equal(left + offset, right + range.lowerBound, length)
            }
        }
    }

    /// Whether the bytes at `offset` and those at `other` have the same bits where a mask has any, eight bytes for each of its
    /// words, the first in the lowest bits; false if the span ends earlier.
    @inlinable
    @inline(__always)
    public func matches(at offset: Int, asAt other: Int, in mask: Span<UInt64>) -> Bool {
        let length = 8 &* mask.count
        guard offset >= 0, other >= 0, count - length >= Swift.max(offset, other) else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe mask.withUnsafeBufferPointer { mask in
                guard let base = bytes.baseAddress else { return length == 0 }
                var differences: UInt64 = 0
                // Without a branch, so that the compiler makes vector instructions of it.
                for index in mask.indices {
                    let (left, right) = unsafe (
                        RawBytes.word(base + (offset &+ 8 &* index)),
                        RawBytes.word(base + (other &+ 8 &* index))
                    )
                    unsafe differences |= (left ^ right) & UInt64(littleEndian: mask[index])
                }
                return differences == 0
            }
        }
    }

    /// Whether the bytes at `offset` equal those of an array.
    @inlinable
    @inline(__always)
    public func matches(at offset: Int, _ other: [UInt8]) -> Bool {
        matches(at: offset, other, 0..<other.count)
    }

    /// Whether the bytes at `offset` equal those in `range` of an array; false if the span ends earlier.
    @inlinable
    @inline(__always)
    public func matches(at offset: Int, _ other: [UInt8], _ range: Range<Int>) -> Bool {
        let other = other.span
        return matches(at: offset, other, range)
    }

    /// Returns the index of the first `byte` at or after `start`, or the span's end.
    @inlinable
    @inline(__always)
    public func firstIndex(of byte: UInt8, from start: Int) -> Int {
        precondition(start >= 0 && start <= count, "a place in the span")
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            guard let found = unsafe memchr(base + start, Int32(byte), count - start) else { return count }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }

    /// Returns the index of the first `byte` in a range, or the range's end.
    public func firstIndex(of byte: UInt8, from start: Int, before end: Int) -> Int {
        extracting(start..<end).firstIndex(of: byte, from: 0) + start
    }

    /// Whether the bytes come before those of another span, compared one by one; a prefix comes before what is longer.
    public func precedes(_ other: Span<UInt8>) -> Bool {
        let order = unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return Int32(0) }
                return unsafe memcmp(left, right, Swift.min(mine.count, theirs.count))
            }
        }
        return order < 0 || order == 0 && count < other.count
    }

    /// Counts two bytes of a range at once.
    ///
    /// - Returns: Whether `first` occurs an odd number of times, and whether `second` occurs.
    public func occurrences(
        of first: UInt8, and second: UInt8, in range: Range<Int>
    ) -> (isOdd: Bool, hasSecond: Bool) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of the span")
        let (firsts, seconds) = (UInt64(first) &* EightBytes.ones, UInt64(second) &* EightBytes.ones)
        var (odd, found): (UInt64, UInt64) = (0, 0)
        var place = range.lowerBound
        let bytes = unsafe self.bytes
        // Without a branch, so that the compiler makes vector instructions of it.
        while range.upperBound &- place >= 8 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
            odd ^= EightBytes.exactZeros(word ^ firsts)
            found |= EightBytes.exactZeros(word ^ seconds)
            place &+= 8
        }
        var isOdd = odd.nonzeroBitCount % 2 == 1
        var hasSecond = found != 0
        for index in place..<range.upperBound {
            if self[index] == first { isOdd.toggle() }
            if self[index] == second { hasSecond = true }
        }
        return (isOdd, hasSecond)
    }

    /// Whether all bytes of a range are below 0x80.
    public func isASCII(_ range: Range<Int>) -> Bool {
        for index in range where self[index] >= 0x80 { return false }
        return true
    }

    /// A copy of a range.
    public func array(_ range: Range<Int>) -> [UInt8] { extracting(range).array }

    /// A copy as an array.
    public var array: [UInt8] {
        // An array that is initialised in place looks its type up each time.
        unsafe withUnsafeBufferPointer { bytes in unsafe Array(bytes) }
    }
}
