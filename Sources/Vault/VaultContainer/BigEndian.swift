/// Unsigned integers, the most significant byte first.
extension [UInt8] {
    mutating func appendInteger(_ value: UInt64, bytes: Int = 8) {
        for index in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    func integer(at offset: Int, bytes count: Int = 8) -> UInt64 {
        self[offset..<(offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
