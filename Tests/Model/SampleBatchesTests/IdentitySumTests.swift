import SampleBatches
import Testing

@Suite("Sums of identities")
struct IdentitySumTests {
    @Test("are the same in any order, and that of nothing is zero")
    func sums() {
        var forward = IdentitySum()
        var backward = IdentitySum()
        for value in 0..<50 { forward.add(UInt128(value) << 120) }
        for value in (0..<50).reversed() { backward.add(UInt128(value) << 120) }
        #expect(forward == backward)
        #expect(IdentitySum().hexadecimal == String(repeating: "0", count: 32))
        backward.add(1)
        #expect(forward != backward)
    }

    @Test("are read back from 32 digits in lower case, and from nothing else")
    func digits() {
        let text = "0123456789abcdeffedcba9876543210"
        #expect(
            IdentitySum(count: 3, hexadecimal: text.utf8Span.span)?.value
                == 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210)
        #expect(IdentitySum(count: 3, hexadecimal: text.utf8Span.span)?.hexadecimal == text)
        for wrong in [
            "", String(text.dropLast()), text + "0", text.uppercased(), "g" + String(text.dropFirst()),
            String(text.dropLast()) + "g",
        ] {
            #expect(IdentitySum(count: 3, hexadecimal: wrong.utf8Span.span) == nil)
        }
    }
}
