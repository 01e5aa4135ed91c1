import ByteText
import SampleBatches
import Testing

@Suite("How samples are put into batches")
struct BatchOptionsTests {
    static let settled: [(Int?, BatchOptions.Span)] = [
        (0, .every(.all)), (24_999_999, .every(.all)), (25_000_000, .every(.months(60))),
        (69_999_999, .every(.months(60))), (70_000_000, .every(.months(12))),
        (199_999_999, .every(.months(12))), (200_000_000, .long), (.max, .long), (nil, .long),
    ]

    @Test("follows the length of the document, unless it is said", arguments: settled)
    func lengths(length: Int?, span: BatchOptions.Span) throws {
        let asked = try #require(BatchOptions(parsing: "auto,5000,8KiB"))
        let settled = asked.resolved(forLength: length)
        #expect(settled.span == span && settled.rowLimit == 5000 && settled.byteLimit == 8192)
        // What is settled stays so, and is read as it is written.
        #expect(
            settled.resolved(forLength: 0) == settled && BatchOptions(parsing: settled.description) == settled
        )
        #expect(settled.mayBe(resolvedFrom: asked) && settled.mayBe(resolvedFrom: settled))
        let others = try ["auto,5001,8KiB", "auto,5000,12KiB", "1day,5000,8KiB"].map {
            try #require(BatchOptions(parsing: $0))
        }
        #expect(others.allSatisfy { !settled.mayBe(resolvedFrom: $0) })
    }

    @Test(
        "is written in one word, and read back",
        arguments: [
            ("auto", "auto"), ("month/half-year", "month/half-year"), ("half-year/year", "half-year/year"),
            ("all", "all"), ("1month", "1months"),
            ("5years", "60months"), ("2weeks", "2weeks"), ("3days", "3days"), ("12hours", "12hours"),
            ("all,auto", "auto"), ("1year,month/half-year", "month/half-year"),
        ])
    func words(word: String, span: String) throws {
        let options = try #require(BatchOptions(parsing: word))
        #expect(options.description == "\(span),65536,256KiB")
        #expect(BatchOptions(parsing: options.description) == options)
    }

    @Test(
        "is written with its limits",
        arguments: [
            ("5000", "auto,5000,256KiB"), ("1MiB", "auto,65536,1024KiB"),
            ("3days,100,64KiB", "3days,100,64KiB"),
        ])
    func limits(words: String, description: String) throws {
        let options = try #require(BatchOptions(parsing: words))
        #expect(options.description == description)
        #expect(BatchOptions(parsing: description) == options)
    }

    @Test(
        "and nonsense is none",
        arguments: [
            "month", "month/year", "half-year", "Auto", "all ", "", "1fortnight", "x", "-1", "0", "1month,,2",
            "1GiB", "99MiB",
        ])
    func nonsense(word: String) { #expect(BatchOptions(parsing: word) == nil) }
}
