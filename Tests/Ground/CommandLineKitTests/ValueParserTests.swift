import CommandLineKit
import Testing

@Suite("The parsers of values")
struct ValueParserTests {
    struct Settings: ParsableCommand {
        var byte: UInt8 = 0
        var format: Format?
        var numbers: [Int] = []
        var even = 0
        var folder: String?

        static let grammar = CommandGrammar<Self>(
            name: "values", summary: "Takes values.",
            elements: [
                .option(\.byte, "byte", value: "N", "a byte", as: .integer),
                .option(\.format, "format", value: "F", "a format", as: .choice),
                .option(\.numbers, "numbers", value: "N,N", "numbers", as: .list(of: .integer(in: 0...5))),
                .option(
                    \.even, "even", value: "N", "an even number",
                    as: ValueParser(expected: "an even number") { text in
                        Int(text).flatMap { $0.isMultiple(of: 2) ? $0 : nil }
                    }),
                .option(\.folder, "folder", value: "DIR", "a folder", as: .folder),
            ])
    }

    private func settings(_ argument: String) throws(UsageError) -> Settings? {
        guard case .run(let settings) = try Settings.grammar.parse([argument]) else { return nil }
        return settings
    }

    @Test("Values within bounds are taken")
    func rightValues() throws {
        #expect(try settings("--byte=255")?.byte == 255)
        #expect(try settings("--byte=0")?.byte == 0)
        #expect(try settings("--format=apple-xml")?.format == .appleXML)
        #expect(try settings("--numbers=0,5,0")?.numbers == [0, 5, 0])
        #expect(try settings("--numbers=0, 5 ,  0")?.numbers == [0, 5, 0])
        #expect(try settings("--even=-2")?.even == -2)
        #expect(try settings("--folder=.")?.folder == ".")
    }

    @Test(
        "Values out of bounds are named, with what is expected",
        arguments: [
            ("--byte=256", "a whole number, not '256'"), ("--byte=-1", "a whole number, not '-1'"),
            ("--byte= 1", "a whole number, not ' 1'"), ("--byte=", "a whole number, not ''"),
            ("--byte=99999999999999999999", "a whole number, not '99999999999999999999'"),
            ("--format=appleXML", "one of ndjson, csv, apple-xml, not 'appleXML'"),
            ("--numbers=0,6,7", "a whole number from 0 to 5, several with commas, not '6'"),
            ("--numbers=1,,2", "a whole number from 0 to 5, several with commas, not '1,,2'"),
            ("--numbers=1, ,2", "a whole number from 0 to 5, several with commas, not '1, ,2'"),
            ("--numbers=", "a whole number from 0 to 5, several with commas, not ''"),
            ("--even=3", "an even number, not '3'"), ("--folder=", "a folder, not ''"),
        ])
    func wrongValues(argument: String, expectation: String) {
        let option = argument.prefix { $0 != "=" }
        let error = #expect(throws: UsageError.self) { try settings(argument) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "option '\(option)' takes \(expectation)")
    }
}
