import Testing

@Suite("Repository")
struct RepositoryTests {
    @Test("what can be seen at the top is exactly what belongs there")
    func topLevel() throws {
        let expected = [
            "Fixtures", "LICENSE", "Makefile", "Package.swift", "README.md", "SECURITY.md", "Sources",
            "Tests",
        ]
        let names = try PackageTree.topLevelNames().sorted()
        #expect(names == expected)
    }
}
