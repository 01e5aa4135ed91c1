/// Digests and checksums as text, with lower-case digits.
enum Hexadecimal: Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func text(_ value: UInt32) -> String {
        text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
}
