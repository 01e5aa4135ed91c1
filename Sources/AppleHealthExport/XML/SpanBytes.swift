// The few loads of more than a byte at a time that the scanner makes, all of them checked against the span's bounds.

import Glibc

extension Span<UInt8> {
    /// The bytes at `offset` are exactly those in `range` of `other`; false too where the span ends before.
    @inline(__always)
    func matches(at offset: Int, _ other: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard offset >= 0, range.count <= count - offset else { return false }
        precondition(range.lowerBound >= 0 && range.upperBound <= other.count, "a range of the pattern")
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else {
                    return range.isEmpty
                }
                return unsafe memcmp(left + offset, right + range.lowerBound, range.count) == 0
            }
        }
    }

    /// Eight bytes as a number, the first one lowest.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The first place of `byte` at or after `start`, or the span's end.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int {
        precondition(start >= 0 && start <= count, "a place in the span")
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            guard let found = unsafe memchr(base + start, Int32(byte), count - start) else { return count }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }

    /// All bytes of a range are below 0x80.
    func isASCII(_ range: Range<Int>) -> Bool {
        for index in range where self[index] >= 0x80 { return false }
        return true
    }

    /// A copy of a range.
    func array(_ range: Range<Int>) -> [UInt8] {
        [UInt8](capacity: range.count) { (output: inout OutputSpan<UInt8>) in
            for index in range { output.append(self[index]) }
        }
    }
}
