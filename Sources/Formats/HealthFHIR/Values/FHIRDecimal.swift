import ByteText
import SampleBatches

/// Numbers in the notation of FHIR's `decimal`, which is that of JSON.
enum FHIRDecimal: Sendable {
    /// Appends a number as a sample states it, multiplied by a power of ten, without computing in binary.
    ///
    /// - Parameters:
    ///   - token: A number or a string with one.
    ///   - shift: The exponent of the power of ten.
    /// - Returns: false if it is not a finite number.
    static func append(
        _ token: Span<UInt8>, shift: Int = 0, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        if shift == 0, isPlain(token) {
            output.append(copying: token)
            return true
        }
        guard let text = text(token, shift: shift) else { return false }
        output.append(copying: text.span)
        return true
    }

    /// The largest number of bytes that `append` adds.
    static func mostBytes(of token: Int, shift: Int) -> Int { token + Int(shift.magnitude) + 32 }

    /// Whether a token is a number of digits alone, possibly with a point, that is not negative.
    @inline(__always)
    private static func isPlain(_ token: Span<UInt8>) -> Bool {
        guard token.count <= 15 else { return false }
        for index in token.indices where token[index] &- 0x30 >= 10 {
            guard token[index] == UInt8(ascii: ".") else { return false }
        }
        return !token.isEmpty && token[0] != UInt8(ascii: "\"")
    }

    /// Returns a number multiplied by a power of ten; nil if it is not finite.
    static func text(_ token: Span<UInt8>, shift: Int = 0) -> [UInt8]? {
        guard let value = DecimalText.number(ofToken: token, 0..<token.count) else { return nil }
        if value == 0 { return [UInt8(ascii: "0")] }
        let text = JSONEscaping.text(ofToken: token.array)
        guard JSONNumber.matches(text.span),
            !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), text.count <= 64
        else {
            var scaled = value
            for _ in 0..<shift.magnitude { scaled = shift < 0 ? scaled / 10 : scaled * 10 }
            return self.text(scaled)
        }
        guard shift != 0 else { return text }
        let isNegative = text[0] == UInt8(ascii: "-")
        let number = isNegative ? text[1...] : text[...]
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var digits = Array(parts[0]) + (parts.count > 1 ? Array(parts[1]) : [])
        var point = parts[0].count + shift
        if point < 1 {
            digits.insert(contentsOf: [UInt8](repeating: 0x30, count: 1 - point), at: 0)
            point = 1
        }
        if point > digits.count { digits += [UInt8](repeating: 0x30, count: point - digits.count) }
        var whole = Array(digits[..<point].drop { $0 == 0x30 })
        if whole.isEmpty { whole = [0x30] }
        var fraction = digits[point...]
        // Dividing adds digits that nobody wrote.
        while shift < 0, fraction.last == 0x30 { fraction.removeLast() }
        return (isNegative ? [UInt8(ascii: "-")] : []) + whole
            + (fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction)
    }

    /// The number of digits that a computed value is rounded to, so that it shows no binary fractions.
    private static let significantDigits = 12

    /// Returns a computed number, rounded; nil if it is not finite, which JSON cannot state.
    static func text(_ value: Double) -> [UInt8]? {
        if value == 0 { return [UInt8(ascii: "0")] }
        guard value.isFinite else { return nil }
        let magnitude = value.magnitude
        guard magnitude < 1e12, magnitude >= 1e-9 else { return Array("\(value)".utf8) }
        var decimals = significantDigits
        var limit = 1.0
        while limit <= magnitude, decimals > 0 {
            limit *= 10
            decimals -= 1
        }
        while magnitude * limit < 0.1, decimals < 20 {
            limit *= 10
            decimals += 1
        }
        let scaled = (magnitude * DecimalText.powersOfTen[decimals]).rounded()
        guard scaled < 1e18 else { return Array("\(value)".utf8) }
        var digits = Array(String(UInt64(scaled)).utf8)
        if digits.count <= decimals {
            digits.insert(contentsOf: [UInt8](repeating: 0x30, count: decimals + 1 - digits.count), at: 0)
        }
        let whole = digits.dropLast(decimals)
        var fraction = digits.suffix(decimals)
        while fraction.last == 0x30 { fraction.removeLast() }
        return (value < 0 ? [UInt8(ascii: "-")] : []) + whole
            + (fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction)
    }
}
