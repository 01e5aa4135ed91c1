import SystemIO
import Testing
import VaultContainer

@Suite("Lengths of the plaintext stream (SECURITY.md, section 29)")
struct PaddingTests {
    /// From the definition: E = floor(log2 L), S = floor(log2 E) + 1, the lowest E - S bits are zero.
    // SECURITY.md: "and the size only up to its class"
    @Test(
        "Padmé keeps the leading bits",
        arguments: [
            (0, 0), (1, 1), (2, 2), (8, 8), (9, 10), (64, 64), (65, 72), (1000, 1024), (1025, 1088),
            (1_000_000, 1_015_808), (1 << 40, 1 << 40), ((1 << 40) + 1, (1 << 40) + (1 << 34)),
        ])
    func padme(length: Int, padded: Int) {
        #expect(Padding.padme(length) == padded)
        #expect(Blueprint.padme(max(length, 1)) == max(padded, 1))
    }

    @Test("Padmé costs at most an eighth, and less the longer the stream is")
    func overhead() {
        for exponent in 6..<50 {
            for length in [
                1 << exponent, (1 << exponent) + 1, (3 << (exponent - 1)) + 1, (2 << exponent) - 1,
            ] {
                let extra = Padding.padme(length) - length
                #expect(extra >= 0 && extra * 8 <= length)
                #expect(exponent < 30 || extra * 32 < length)
            }
        }
    }

    // SECURITY.md: "the size, rounded up to 4 KiB below 256 KiB, by at most 3.2 % from there to 4"
    // SECURITY.md: "and the size only up to its class"
    @Test("are the smallest that the specification allows", arguments: [1, 2, 3, 64])
    func totals(chunks: Int) {
        let geometry = SegmentGeometry(chunks: chunks)
        let segment = chunks * 16384
        let lengths =
            Array(0..<300) + Array(262_000..<262_200)
            + [1, 2, 3, 7].flatMap { number in (-200..<10).map { number * segment + $0 } }
        for length in lengths {
            let index = length / 3
            let total = Padding.total(payload: length - index, index: index, geometry: geometry)
            #expect(total == Blueprint.totalLength(length + 64, chunks), "\(length)")
        }
    }
}
