import Testing

@Suite("Groups")
struct GroupTests {
    @Test("every folder of Sources is a group, and the other way round")
    func folders() throws {
        let folders = Set(try PackageTree.sources().map(\.group))
        #expect(folders == Set(Groups.names))
    }

    @Test("the README's table has the groups from the highest to the lowest, each with its modules")
    func table() throws {
        let table = try ModuleTable()
        #expect(table.groups == Groups.names.reversed())
        // A reader in another language has a folder and a row, and is no module.
        let folders = try PackageTree.sources().reduce(into: [String: Set<String>]()) {
            $0[$1.group, default: []].insert($1.module)
        }
        for group in Groups.names { #expect(Set(table.modules[group] ?? []) == folders[group], "\(group)") }
    }

    @Test("a module imports from its own group and from those below it", arguments: Groups.swiftModules)
    func order(module: String) throws {
        let group = try #require(try PackageTree.sources().first { $0.module == module }?.group)
        let allowed = try Groups.systemModules.union(Groups.modules(upTo: group))
        let others = try PackageTree.imports(of: module).filter { !allowed.contains($0.key) }
        #expect(others == [:])
    }

    @Test("a C module is imported by exactly one module", arguments: Groups.cModules)
    func importersOfC(module: String) throws {
        let importers = try Groups.swiftModules.filter { try PackageTree.imports(of: $0)[module] != nil }
        #expect(importers.count == 1, "\(importers)")
    }

    @Test("the vault knows nothing of health", arguments: ["VaultContainer", "VaultCrypto"])
    func container(module: String) throws {
        let ground = try Groups.modules(upTo: "Ground").subtracting(["CivilTime"])
        let allowed = ground.union(Groups.systemModules).union(["VaultCrypto"])
        let others = try PackageTree.imports(of: module).filter { !allowed.contains($0.key) }
        #expect(others == [:])
    }

    @Test(
        "JSON text, civil time and the health model import neither C nor the C library",
        arguments: ["JSONText", "CivilTime", "SampleBatches", "HealthTypes", "HealthModel"])
    func pureSwift(module: String) throws {
        let forbidden = Groups.cModules + ["Glibc"]
        let found = try PackageTree.imports(of: module).filter { forbidden.contains($0.key) }
        #expect(found == [:])
    }

    @Test("what HealthVault offers shows no module that it does not offer", arguments: Groups.swiftModules)
    func offered(module: String) throws {
        let offered = try Self.offered()
        guard offered.contains(module) else { return }
        let hidden = Set(Groups.swiftModules + Groups.cModules).subtracting(offered)
        for (file, code) in try PackageTree.code() where file.module == module {
            // Code that is inlined into others needs a public import too.
            guard !code.contains("@", "inlinable") else { continue }
            let shown = hidden.filter { code.contains("public", "import", $0) }
            #expect(shown == [], "\(file.path)")
        }
    }

    /// The modules that one import of HealthVault shows.
    private static func offered() throws -> Set<String> {
        let files = try PackageTree.code().filter { $0.file.module == "HealthVault" }
        return Set(
            Groups.swiftModules.filter { module in
                files.contains { $0.code.contains("@", "_exported", "public", "import", module) }
            })
    }

    @Test("one import of HealthVault shows all that a program needs, and nothing of the command")
    func front() throws {
        let offered = try Self.offered()
        let modules = try Groups.modules()
        let expected = ["Archive", "Answers", "Exports", "Formats"].flatMap { modules[$0] ?? [] }
        #expect(Set(expected).subtracting(offered).subtracting(["BatchCollection"]) == [])
        #expect(offered.isDisjoint(with: modules["Development"] ?? []))
        #expect(!offered.contains("CommandOutput") && !offered.contains("CommandLineKit"))
    }

    @Test(
        "Foundation is imported by one module, which nothing else imports", arguments: Groups.swiftModules)
    func foundation(module: String) throws {
        let bridge = "HealthModelFoundation"
        let found = try PackageTree.imports(of: module).keys.filter {
            $0.hasPrefix("Foundation") || $0 == bridge
        }
        #expect(found == (module == bridge ? ["FoundationEssentials"] : []))
    }
}

/// The README's table of groups and modules: `| group | module | what it is |`, the group in its first row only.
struct ModuleTable {
    private(set) var groups: [String] = []
    private(set) var modules: [String: [String]] = [:]

    init() throws {
        let lines = try PackageTree.file("README.md").text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| Group | Module |") })
        for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            let group = cells.first?.filter { $0 != " " && $0 != "`" } ?? ""
            if !group.isEmpty { groups.append(group) }
            let names = cells.dropFirst().first?.split(separator: "`").map(String.init) ?? []
            modules[groups.last ?? "", default: []] += names.filter { !$0.allSatisfy { $0 == " " } }
        }
    }
}
