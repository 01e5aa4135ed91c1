import Testing

@Suite("Which names of a source file stand for text")
struct TextDeclarationsTests {
    @Test(
        "those that are declared so, in whatever way",
        arguments: [
            "let path: String", "var path: String?", "var path: [String] = []", "let path: [String: Int]",
            "let path:Set<String>", "let path: (String, Int)", "let path: any StringProtocol",
            "var path: String { get }", "var path: String { text }", "func f(path: String)",
            "func f(_ path: String) {}", "func f(of path: String, b: Int)",
            "func f(a: Int, path: borrowing String)",
            "func f(path: inout [String]) {}", "func f(path: String...) {}", "let f = { (path: String) in }",
            "let f: (_ path: String) -> Void", "let path: (Int) -> String",
            "let path: @Sendable (String) -> Void",
            "case a(path: String)", "case path(String)", "case path(Int, String?)", "func path() -> String",
            "func path(of a: Int) throws(E) -> [String] {", "func path<A: B>(_ a: A) -> String",
            "init(path: String)", "subscript(path: String) -> Int", "typealias path = String",
            "let path = \"a\"", "var path = #\"a\"#", "let path = \"\"\"\na\n\"\"\"", "let path = String(a)",
            "let path = try String(a)", "for path in [\"a\", \"b\"] {}", "let path = [\"a\"]",
            "let path = [String]()",
            "let path\n : \n String", "let a: Int, path: String", "func f(path: Substring = \"\")",
            "let path: Optional<String>", "let path: Dictionary<Int, [String]>",
        ])
    func found(text: String) { #expect(TextDeclarations(text).names.contains("path")) }

    @Test(
        "and not others",
        arguments: [
            "let path: BytePath", "let path: BytePath\nlet a: String", "let path: [BytePath], a: String",
            "func f(path: BytePath, a: String)", "func path() -> BytePath { String(a) }",
            "func path() {}\nvar a: String",
            "func path()\nfunc a() -> String", "case path(BytePath)\ncase a(String)", "f(path: String(a))",
            "f(path: a, b: String.self)", "let path: BytePath = \"a\"", "let path = a.path",
            "path = a ? b : String(c)",
            "// let path: String", "\"path: String\"", "let paths: String", "var path: BytePath { \"a\" }",
            "case .path(let path): \"a\"", "let path = BytePath(\"a\")", "var path: [BytePath: String.Index]",
            "let a: [path: String]", "let a = [path: String(b)]",
        ])
    func notFound(text: String) { #expect(!TextDeclarations(text).names.contains("path")) }

    @Test("in the order of the file")
    func order() {
        let text = """
            struct A {
                let a: String
                var b: Int
                func c(d: String, e: Int) -> String { f(g: String(d)) }
            }
            """
        #expect(TextDeclarations(text).names == ["a", "c", "d"])
    }
}
