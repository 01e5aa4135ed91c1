import SampleBatches
import Testing

@Suite("The values of a row")
struct RowValuesTests {
    @Test("take a byte for each seven bits of a number")
    func numbers() {
        for bits in 0..<63 {
            for number in [1 << bits - 1, 1 << bits, 1 << bits + 1] {
                var (rest, size) = (number >> 7, 1)
                while rest > 0 { (rest, size) = (rest >> 7, size + 1) }
                #expect(RowValues.size(ofNumber: number) == size)
                #expect(RowValues.size(ofToken: number) == size + number)
            }
        }
        #expect(RowValues.size(ofNumber: -1) == 10)
    }

    @Test("have instants as distances, whose sign takes a bit")
    func times() {
        var values = RowValues()
        for seconds in [1_700_000_000, 1_700_000_063, 1_699_999_999, 1_699_999_935] {
            values.append(instant: seconds)
        }
        #expect(values.cells == [1_700_000_000, 63, -64, -64])
        #expect(values.size == 5 + 1 + 1 + 1)
        #expect(RowValues.size(ofTime: 64) == 2 && RowValues.size(ofTime: -65) == 2)
        #expect(RowValues.size(ofTime: .min) == 10)
    }
}
