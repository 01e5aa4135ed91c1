// Comparing and copying short runs of bytes without a call: most of what is compared and copied here is short.

public import Glibc

/// What the checked operations on spans come down to.
@unsafe
@usableFromInline
enum RawBytes: Sendable {
    /// Longer runs are left to the C library.
    @usableFromInline static let short = 32

    @unsafe
    @inlinable
    @inline(__always)
    static func equal(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        guard unsafe count <= short else { return unsafe memcmp(left, right, count) == 0 }
        if count >= 8 {
            var offset = 0
            while offset + 8 < count {
                guard unsafe word(left + offset) == word(right + offset) else { return false }
                offset += 8
            }
            return unsafe word(left + (count - 8)) == word(right + (count - 8))
        }
        if count >= 4 {
            return unsafe half(left) == half(right) && half(left + (count - 4)) == half(right + (count - 4))
        }
        for offset in 0..<count {
            guard
                unsafe left.load(fromByteOffset: offset, as: UInt8.self)
                    == right.load(fromByteOffset: offset, as: UInt8.self)
            else { return false }
        }
        return true
    }

    /// The runs do not overlap.
    @unsafe
    @inlinable
    @inline(__always)
    static func copy(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
        guard unsafe count <= short else {
            unsafe memcpy(target, source, count)
            return
        }
        if count >= 8 {
            // The last word may overlap the one before it.
            let last = unsafe word(source + (count - 8))
            var offset = 0
            while offset + 8 < count {
                unsafe target.storeBytes(of: word(source + offset), toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            unsafe target.storeBytes(of: last, toByteOffset: count - 8, as: UInt64.self)
        } else if count >= 4 {
            let last = unsafe half(source + (count - 4))
            unsafe target.storeBytes(of: half(source), as: UInt32.self)
            unsafe target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
        } else {
            for offset in 0..<count {
                unsafe target.storeBytes(
                    of: source.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset,
                    as: UInt8.self)
            }
        }
    }

    /// The same where `available` bytes may be read and at least sixteen be written: a short run is copied sixteen bytes
    /// at once, and what is copied too much is written over.
    @unsafe
    @inlinable
    @inline(__always)
    static func copy(
        _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, available: Int, _ count: Int
    ) {
        if count <= 16, available >= 16 {
            unsafe target.storeBytes(
                of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        } else {
            unsafe copy(target, source, count)
        }
    }

    @unsafe
    @inlinable
    @inline(__always)
    static func word(_ place: UnsafeRawPointer) -> UInt64 { unsafe place.loadUnaligned(as: UInt64.self) }

    @unsafe
    @inlinable
    @inline(__always)
    static func half(_ place: UnsafeRawPointer) -> UInt32 { unsafe place.loadUnaligned(as: UInt32.self) }
}
