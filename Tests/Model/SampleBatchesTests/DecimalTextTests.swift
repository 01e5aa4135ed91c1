import SampleBatches
import Testing

@Suite("Numbers in texts")
struct DecimalTextTests {
    private func number(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        return DecimalText.number(ofToken: bytes.span, 0..<bytes.count)
    }

    @Test("are those that Swift reads, for any number of digits")
    func digits() {
        for whole in 0...20 {
            for decimals in 0...20 where whole + decimals > 0 {
                for digit in ["1", "9", "0", "3"] {
                    for sign in ["", "-"] {
                        let text =
                            sign + (whole == 0 ? "0" : String(repeating: digit, count: whole))
                            + (decimals == 0 ? "" : "." + String(repeating: digit, count: decimals))
                        #expect(number(text) == Double(text), "\(text)")
                        #expect(number("\"\(text)\"") == Double(text), "\(text)")
                    }
                }
            }
        }
    }

    @Test(
        "are none in other texts",
        arguments: [
            "", "-", ".", "1.", ".5", "-.5", "n/a", "nan", "inf", "1e999", "--1", "1.2.3", "1 ", "0x", "\"\"",
        ])
    func others(text: String) {
        let swift = Double(text).flatMap { $0.isFinite ? $0 : nil }
        #expect(number(text) == swift)
    }

    @Test(
        "may have exponents",
        arguments: ["1e3", "-2.5E-4", "12345678901234567890", "0.1", "1e-320", "9007199254740993"])
    func exponents(text: String) {
        #expect(number(text) == Double(text))
    }
}
