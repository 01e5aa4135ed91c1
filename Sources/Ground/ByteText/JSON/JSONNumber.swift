/// Numbers in JSON notation.
public enum JSONNumber: Sendable {
    /// Whether the bytes are a number by RFC 8259, section 6: `-`, an integer without leading zeros, fraction,
    /// exponent.
    public static func matches(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        func digits() -> Bool {
            let start = index
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            return index > start
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        guard digits() else { return false }
        if index - first > 1, bytes[first] == UInt8(ascii: "0") { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() else { return false }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard digits() else { return false }
        }
        return index == bytes.count
    }

    /// Appends an integer in decimal.
    public static func append(_ value: Int, to output: inout [UInt8]) {
        if value >= 0, value < 10 {
            output.append(0x30 + UInt8(truncatingIfNeeded: value))
            return
        }
        // An integer of 64 bits has at most 19 digits; they are computed from the last to the first.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = value.magnitude
        repeat {
            start -= 1
            digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        output.append(addingCapacity: 21) { (bytes: inout OutputSpan<UInt8>) in
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            for index in start..<20 { bytes.append(digits[index]) }
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
