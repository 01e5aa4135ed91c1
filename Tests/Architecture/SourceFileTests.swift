import Testing

@Suite("Files")
struct SourceFileTests {
    /// The reader in Python is one file on purpose: it is copied beside archives.
    @Test("no file of a module has more than 400 lines")
    func longest() throws {
        let long = try PackageTree.sources().filter { $0.isModule && $0.lineCount > 400 }
        #expect(long.map { "\($0.path): \($0.lineCount)" } == [])
    }

    @Test("half of the Swift files in Sources have fewer than 150 lines")
    func median() throws {
        let counts = try PackageTree.sources().filter(\.isSwift).map(\.lineCount).sorted()
        #expect(counts[counts.count / 2] < 150)
    }

    @Test("no file and no folder is named for being of use")
    func names() throws {
        let empty: Set = ["util", "utils", "utilities", "helper", "helpers", "core", "manager", "managers"]
        let files = try PackageTree.sources() + PackageTree.tests()
        let parts = Set(files.flatMap(\.parts))
        #expect(parts.filter { empty.contains(Self.lastWord(of: $0)) }.sorted() == [])
    }

    @Test("a name is judged by its last word")
    func lastWords() {
        #expect(Self.lastWord(of: "SessionManager.swift") == "manager")
        #expect(Self.lastWord(of: "Core") == "core")
        #expect(Self.lastWord(of: "test_helpers.py") == "helpers")
        #expect(Self.lastWord(of: "Score.swift") == "score")
    }

    @Test("nothing is left to do in Sources and Tests")
    func leftovers() throws {
        // Put together here, or this file would be one of those found.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let files = try PackageTree.sources() + PackageTree.tests()
        #expect(files.filter { file in marks.contains { file.contains($0) } }.map(\.path) == [])
    }

    /// The last word of a name in camel case, without the suffix, in lower case.
    private static func lastWord(of name: String) -> String {
        let stem = name.prefix { $0 != "." }
        let start = stem.lastIndex { $0.isUppercase || !$0.isLetter } ?? stem.startIndex
        return stem[start...].drop { !$0.isLetter }.lowercased()
    }
}
