import Testing

@Suite("Layers")
struct LayerTests {
    @Test("every folder of Sources is a module of the table, and the other way round")
    func table() throws {
        let folders = Set(try PackageTree.sources().map(\.module))
        #expect(folders.symmetricDifference(Layers.modules) == [])
        #expect(Set(Layers.modules).count == Layers.modules.count)
    }

    @Test("a module imports only from the rows below its own", arguments: Layers.modules)
    func rows(module: String) throws {
        let row = try #require(Layers.row(of: module))
        let allowed = Layers.systemModules.union(Layers.rows[..<row].joined())
        let others = try PackageTree.imports(of: module).filter { !allowed.contains($0.key) }
        #expect(others == [:])
    }

    @Test("a C module is imported by exactly one module", arguments: Layers.rows[0])
    func importersOfC(module: String) throws {
        let importers = try Layers.modules.filter { try PackageTree.imports(of: $0)[module] != nil }
        let importer = try #require(Layers.importersOfC[module])
        #expect(importers == [importer])
    }

    @Test("the container knows nothing of health")
    func container() throws {
        let imports = try PackageTree.imports(of: "VaultContainer")
        #expect(imports["HealthModel"] == nil)
        #expect(imports["SampleBatches"] == nil)
    }

    @Test(
        "JSON text and the health model import neither C nor the C library",
        arguments: ["JSONText", "SampleBatches", "HealthModel"])
    func pureSwift(module: String) throws {
        let forbidden = Layers.rows[0] + ["Glibc"]
        let found = try PackageTree.imports(of: module).filter { forbidden.contains($0.key) }
        #expect(found == [:])
    }

    @Test("what a product offers shows no module that none offers", arguments: Layers.offered.sorted())
    func offered(module: String) throws {
        let hidden = Set(Layers.modules).subtracting(Layers.offered)
        for (file, code) in try PackageTree.code() where file.module == module {
            // Code that is inlined into others needs a public import too.
            guard !code.contains("@", "inlinable") else { continue }
            let shown = hidden.filter { code.contains("public", "import", $0) }
            #expect(shown == [], "\(file.path)")
        }
    }

    @Test("one import of HealthVault shows all that it is made of")
    func front() throws {
        let files = try PackageTree.code().filter { $0.file.module == "HealthVault" }
        let others: Set = ["HealthVault", "HealthModelFoundation", "ExportGenerator", "HealthStoreTesting"]
        for module in Layers.offered.subtracting(others) {
            #expect(
                files.contains { $0.code.contains("@", "_exported", "public", "import", module) }, "\(module)"
            )
        }
    }

    @Test("Foundation is imported by one module, which nothing else imports", arguments: Layers.modules)
    func foundation(module: String) throws {
        let bridge = "HealthModelFoundation"
        let found = try PackageTree.imports(of: module).keys.filter {
            $0.hasPrefix("Foundation") || $0 == bridge
        }
        #expect(found == (module == bridge ? ["FoundationEssentials"] : []))
    }
}
