// Compares and copies short runs of bytes without a function call, because most runs in this program are short.

public import Glibc

/// The unchecked operations behind the checked ones on spans.
@unsafe
@usableFromInline
enum RawBytes: Sendable {
    /// Length up to which a run is handled here; longer ones are left to the C library.
    @usableFromInline static let short = 32

    @unsafe
    @inlinable
    @inline(__always)
    static func equal(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        guard unsafe count <= short else { return unsafe memcmp(left, right, count) == 0 }
        if count >= 8 {
            var offset = 0
            while offset < count &- 8 {
                guard unsafe word(left + offset) == word(right + offset) else { return false }
                offset &+= 8
            }
            return unsafe word(left + (count &- 8)) == word(right + (count &- 8))
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

    /// Copies a run of bytes; source and target must not overlap.
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
            let last = unsafe word(source + (count &- 8))
            var offset = 0
            while offset < count &- 8 {
                unsafe target.storeBytes(of: word(source + offset), toByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            unsafe target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
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

    /// Copies a run of bytes from memory with `available` readable bytes to memory with at least sixteen writable
    /// ones.
    ///
    /// A short run is copied as sixteen bytes at once; the excess is overwritten later.
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
