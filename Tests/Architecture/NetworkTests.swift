import Testing

@Suite("Network")
struct NetworkTests {
    @Test("nothing in Sources calls the network", arguments: ["socket", "connect", "getaddrinfo"])
    func calls(function: String) throws {
        let callers = try PackageTree.code().filter { $0.code.contains(function, "(") }
        #expect(callers.map(\.file.path) == [])
    }
}
