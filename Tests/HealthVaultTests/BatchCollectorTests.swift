import HealthModel
import HealthVault
import Testing

@Suite("Batches by type and span")
struct BatchOptionsTests {
    @Test(
        "are asked for in words",
        arguments: [
            ("auto", "auto,65536,256KiB"), ("1month", "1months,65536,256KiB"),
            ("2weeks", "2weeks,65536,256KiB"),
            ("1year", "12months,65536,256KiB"), ("5000", "auto,5000,256KiB"), ("1MiB", "auto,65536,1024KiB"),
            ("3days,100,64KiB", "3days,100,64KiB"), ("all", "all,65536,256KiB"),
        ])
    func words(_ text: String, _ description: String) throws {
        let options = try #require(BatchOptions(parsing: text))
        #expect(options.description == description)
        #expect(BatchOptions(parsing: description) == options)
    }

    @Test(
        "and nonsense is refused",
        arguments: ["", "x", "-1", "0", "1fortnight", "1month,,2", "1GiB", "99MiB"])
    func nonsense(_ text: String) { #expect(BatchOptions(parsing: text) == nil) }
}
