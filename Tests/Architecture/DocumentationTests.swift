import Testing

@Suite("The documentation")
struct DocumentationTests {
    /// The lines of a text without their indentation, empty ones left out.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    /// The Swift examples of an article.
    private static func examples(in article: RepositoryFile) -> [[String]] {
        let text = article.text
        return text.split(separator: "```swift\n").dropFirst().compactMap { part in
            part.split(separator: "```").first.map { lines($0) }
        }
    }

    @Test("shows examples that are compiled and run as tests")
    func examples() throws {
        let tests = try PackageTree.tests().filter { $0.path.hasSuffix("ExampleTests.swift") }
            .flatMap { Self.lines($0.text) }
        let articles = try PackageTree.sources().filter { $0.path.hasSuffix(".md") }
        let examples = articles.flatMap { Self.examples(in: $0) }
        for example in examples {
            #expect(tests.indices.contains { tests[$0...].starts(with: example) }, "\(example)")
        }
        #expect(!examples.isEmpty)
    }

    @Test("names files that are there")
    func files() throws {
        let sources = try PackageTree.sources()
        let paths = Set(sources.map { $0.parts.dropFirst(2).joined(separator: "/") })
        let named = sources.filter { $0.path.hasSuffix(".md") }.flatMap { article in
            article.text.split(separator: "`").map(String.init).filter {
                $0.hasSuffix(".swift") && $0.contains("/") && !$0.contains(" ")
            }
        }
        #expect(named.count > 20)
        #expect(named.filter { !paths.contains($0) } == [])
    }
}
