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
}
