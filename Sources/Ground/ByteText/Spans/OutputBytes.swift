// Operations that write several bytes at a time, always within bounds.

public import Glibc

extension OutputSpan<UInt8> {
    /// Appends a copy of `source`; there must be room for it.
    @inlinable
    @inline(__always)
    public mutating func append(copying source: Span<UInt8>) {
        precondition(source.count <= freeCapacity, "there is room")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe source.withUnsafeBytes { bytes in
                guard let target = buffer.baseAddress, let base = bytes.baseAddress else { return }
                unsafe RawBytes.copy(UnsafeMutableRawPointer(target + count), base, bytes.count)
                count += bytes.count
            }
        }
    }

    /// Appends its last `length` bytes so many times more; there must be room for them.
    public mutating func append(last length: Int, times: Int) {
        guard times > 0 else { return }
        precondition(length > 0 && length <= count && times <= freeCapacity / length, "bytes, and room")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let source = unsafe buffer.baseAddress?.advanced(by: count - length) else { return }
            // What is there doubles.
            var (written, rest) = (length, length * times)
            while rest > 0 {
                let part = min(written, rest)
                unsafe memcpy(source + written, source, part)
                written += part
                rest -= part
            }
            count += length * times
        }
    }

    /// Appends a number in decimal; there must be room for 20 digits.
    @inlinable
    @inline(__always)
    public mutating func append(decimal value: UInt) {
        precondition(freeCapacity >= Decimal.mostDigits, "there is room")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let target = buffer.baseAddress else { return }
            unsafe count += Decimal.write(value, to: target + count)
        }
    }

    /// Appends eight bytes, the lowest first; there must be room for them.
    @inlinable
    @inline(__always)
    public mutating func append(word: UInt64) {
        precondition(freeCapacity >= 8, "there is room")
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let target = buffer.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(target + count)
                .storeBytes(of: word.littleEndian, as: UInt64.self)
            count += 8
        }
    }
}

extension MutableSpan<UInt8> {
    /// Copies `source` to `offset`.
    @inlinable
    @inline(__always)
    public mutating func copy(_ source: Span<UInt8>, to offset: Int) {
        precondition(offset >= 0 && source.count <= count - offset, "inside the span")
        unsafe withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                guard let place = target.baseAddress, let base = bytes.baseAddress else { return }
                unsafe RawBytes.copy(place + offset, base, bytes.count)
            }
        }
    }

    /// Moves the bytes of a range to `offset`; the two may overlap.
    @inlinable
    public mutating func move(_ range: Range<Int>, to offset: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of the span")
        precondition(offset >= 0 && range.count <= count - offset, "inside the span")
        unsafe withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe memmove(base + offset, base + range.lowerBound, range.count)
        }
    }
}

extension [UInt8] {
    /// Appends a copy of an array, fast even if it is short.
    @inlinable
    @inline(__always)
    public mutating func append(copying source: [UInt8]) { append(copying: source.span) }

    /// Appends a copy of `source`.
    @inlinable
    @inline(__always)
    public mutating func append(copying source: Span<UInt8>) {
        // Arrays without allocated memory share a buffer, and appending nothing would write to it.
        guard !source.isEmpty else { return }
        append(addingCapacity: source.count) { (output: inout OutputSpan<UInt8>) in
            output.append(copying: source)
        }
    }
}
