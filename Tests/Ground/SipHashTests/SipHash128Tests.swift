import SipHash
import Testing

@Suite("SipHash-2-4-128")
struct SipHash128Tests {
    /// The hashes of as many ascending bytes under the key 00 01 to 0f, as `openssl mac SIPHASH` gives them.
    ///
    /// The first ones stand in the reference implementation as well.
    static let vectors: [(Int, String)] = [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (2, "8177228da4a45dc7fca38bdef60affe4"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
        (8, "3b62a9ba6258f5610f83e264f31497b4"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        (63, "5150d1772f50834a503e069a973fbd7c"),
    ]

    private func hash() -> SipHash128 { SipHash128(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)) }

    private func hexadecimal(_ value: UInt128) -> String {
        (0..<16).map { byte in
            let digits = String(UInt8(truncatingIfNeeded: value >> UInt128(8 * byte)), radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    @Test("gives what OpenSSL gives", arguments: vectors)
    func published(_ count: Int, _ expected: String) {
        var hash = hash()
        let bytes = (0..<UInt8(count)).map { $0 }
        hash.update(bytes.span)
        #expect(hexadecimal(hash.finish()) == expected)
    }

    @Test("however the bytes are handed over", arguments: 0..<40)
    func pieces(_ cut: Int) {
        let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var whole = hash()
        whole.update(bytes.span)
        var parts = hash()
        parts.update(bytes.span.extracting(0..<cut))
        parts.update(bytes.span.extracting(cut..<40))
        #expect(whole.finish() == parts.finish())
        var words = hash()
        words.update(bytes.span.extracting(0..<(cut % 8)))
        var single = hash()
        for byte in bytes[..<(cut % 8)] { single.update(byte) }
        words.update(0x0102_0304_0506_0708 as UInt64)
        for byte in (1...8).reversed() { single.update(UInt8(byte)) }
        #expect(words.finish() == single.finish())
    }
}
