// Operations that read several bytes of a span at a time, always within its bounds.

public import Glibc

extension Span<UInt8> {
    /// Returns eight bytes as a number, the first in the lowest bits.
    @inlinable
    @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
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

    /// Whether all bytes of a range are below 0x80.
    public func isASCII(_ range: Range<Int>) -> Bool {
        for index in range where self[index] >= 0x80 { return false }
        return true
    }

    /// A copy of a range.
    public func array(_ range: Range<Int>) -> [UInt8] { extracting(range).array }

    /// A copy as an array.
    public var array: [UInt8] {
        [UInt8](capacity: count) { (output: inout OutputSpan<UInt8>) in output.append(copying: self) }
    }
}
