import SampleBatches
import Testing

@Suite("The values of a row")
struct RowValuesTests {
    @Test("have instants as distances, and count for about their columns")
    func times() {
        var values = RowValues()
        for seconds in [1_700_000_000, 1_700_000_063, 1_699_999_999, 1_699_999_935] {
            values.append(instant: seconds)
        }
        #expect(values.cells == [1_700_000_000, 63, -64, -64])
        values.append(token: Array("61.5".utf8).span)
        #expect(values.size == 4 * RowValues.sizeOfTime + 5)
    }
}
