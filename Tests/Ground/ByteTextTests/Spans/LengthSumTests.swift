import ByteText
import Testing

@Suite("Sums of lengths that somebody else chose")
struct LengthSumTests {
    @Test("are those of the numbers, as long as they fit")
    func sums() {
        var sum = LengthSum()
        #expect(sum.value == 0 && LengthSum(7).value == 7 && LengthSum.of() == 0)
        for length in [1, 0, .max - 3] { sum.add(length) }
        #expect(sum.value == .max - 2)
        #expect(LengthSum.of(1, 2, 3) == 6 && ["a", "bc"].total(\.utf8.count) == 3)
        #expect([Int]().total { $0 } == 0)
    }

    // SECURITY.md: "capped at 2^63 - 1"
    @Test("stay at the largest number where they do not fit, whatever comes then")
    func saturation() {
        var sum = LengthSum(.max)
        for length in [1, .max, 0, -1, .min, 5] {
            sum.add(length)
            #expect(sum.value == .max)
        }
        #expect(LengthSum.of(.max, .max) == .max && LengthSum.of(.max - 1, 2) == .max)
        #expect(LengthSum.of(1, .max - 1) == .max)
        #expect((0..<1000).total { _ in 1 << 62 } == .max)
    }

    @Test("take a negative length for none")
    func negative() {
        var sum = LengthSum(-5)
        #expect(sum.value == 0)
        sum.add(3)
        for length in [-1, -3, .min] { sum.add(length) }
        #expect(sum.value == 3 && LengthSum.of(-1, 4, .min) == 4)
    }

    @Test("end where a length cannot be had")
    func failures() {
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try [1, 2].total { length throws(Refused) in
                if length > 1 { throw Refused() }
                return length
            }
        }
    }
}
