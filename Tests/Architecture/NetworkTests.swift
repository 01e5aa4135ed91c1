import Testing

@Suite("Network")
struct NetworkTests {
    @Test("nothing in Sources calls the network itself", arguments: ["socket", "connect", "getaddrinfo"])
    func calls(function: String) throws {
        let callers = try PackageTree.code().filter { $0.code.contains(function, "(") }
        #expect(callers.map(\.file.path) == [])
    }

    /// The libraries that open sockets are reached from one module only, and from it by one command.
    @Test(
        "only synchronisation reaches the libraries that open sockets",
        arguments: [
            ("CCurl", ["HTTPConnection"]), ("CPostgreSQL", ["PostgreSQLConnection"]),
            ("HTTPConnection", ["HealthSync"]), ("PostgreSQLConnection", ["HealthSync"]),
        ])
    func libraries(module: String, importers: [String]) throws {
        let found = try PackageTree.code().filter { $0.file.isSwift && $0.code.contains("import", module) }
        #expect(Set(found.map(\.file.module)) == Set(importers))
        let loaders = try PackageTree.code().filter { $0.code.contains("dlopen", "(") }.map(\.file.path)
            .sorted()
        #expect(
            loaders == [
                "Sources/SystemLibraries/CCurl/curl.c", "Sources/SystemLibraries/CEditline/editline.c",
                "Sources/SystemLibraries/CPostgreSQL/postgresql.c",
            ])
    }

    @Test("targets on servers are opened by the commands sync and watch only")
    func commands() throws {
        for target in ["PostgreSQLTarget", "FHIRTarget"] {
            let users = try PackageTree.code().filter {
                $0.file.path.hasPrefix("Sources/Interface/") && $0.code.contains(target, "(")
            }
            #expect(
                users.map(\.file.path) == ["Sources/Interface/HealthVaultCommands/Sync/SyncRequest.swift"])
        }
    }
}
