/// Base64 (RFC 4648), as FHIR writes binary values and HTML names digests.
public enum Base64: Sendable {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns bytes as text.
    public static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let some = bytes[start..<min(start + 3, bytes.count)]
            let word = some.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - some.count))
            for place in 0..<4 {
                let digit = digits[word >> (18 - 6 * place) & 63]
                text.append(place <= some.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil if it is not base64.
    public static func bytes(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8).filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard text.count.isMultiple(of: 4) else { return nil }
        let body = text.prefix { $0 != UInt8(ascii: "=") }
        guard text.count - body.count <= 2, text[body.count...].allSatisfy({ $0 == UInt8(ascii: "=") }) else {
            return nil
        }
        var values: [UInt8: Int] = [:]
        for (value, digit) in digits.enumerated() { values[digit] = value }
        var bytes: [UInt8] = []
        var (word, bits) = (0, 0)
        for digit in body {
            guard let value = values[digit] else { return nil }
            word = (word << 6 | value) & 0xffff
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return bytes
    }
}
