import Testing

@Suite("Test targets")
struct TestTargetTests {
    /// The modules without a test target, with the folders of `Tests` whose tests run them through the command.
    private static let testedByCommand = [
        "AnswerCommands": ["Command/answering"],
        "ArchiveReading": ["Command/decrypting", "Command/inspecting"],
        "ArchiveRecovery": ["Command/recovering"],
        "ArchiveWriting": ["Command/disturbances", "Command/exporting"],
        "AssistantServer": ["Command/assistants"],
        "CBrowserReader": ["Readers/Browser"],
        "CommandOptions": ["Command/command_line"],
        "HTTPConnection": ["Command/synchronising"],
        "CHealthVault": ["Readers/PythonPackage"],
        "HealthVaultC": ["Readers/PythonPackage"],
        "HealthVaultCLI": ["Command/command_line"],
        "HealthVaultCommands": ["Command/command_line"],
        "PostgreSQLConnection": ["Command/synchronising"],
    ]

    /// The groups whose modules need no tests: tools of this repository, and C, which the modules that import it test.
    private static let untestedGroups: Set = ["Development", "SystemLibraries"]

    @Test("every module has a test target, or tests of the command that run it", arguments: Groups.names)
    func coverage(group: String) throws {
        guard !Self.untestedGroups.contains(group) else { return }
        let targets = try Self.targets()
        let modules = try Groups.modules()[group] ?? []
        #expect(modules.filter { targets[$0] == nil && Self.testedByCommand[$0] == nil }.sorted() == [])
    }

    @Test("a test target lies in the group of the module that it imports and is named after")
    func places() throws {
        let groups = try Groups.modules()
        for (module, group) in try Self.targets() {
            #expect(groups[group]?.contains(module) == true, "\(group)/\(module)Tests")
            #expect(try PackageTree.imports(of: module + "Tests")[module] != nil, "\(group)/\(module)Tests")
        }
    }

    @Test("a module that the command's tests run has no target, and the folders with its tests exist")
    func exceptions() throws {
        let modules = Set(try Groups.modules().values.joined())
        let targets = try Self.targets()
        let tests = try PackageTree.tests().map(\.path)
        for (module, folders) in Self.testedByCommand {
            #expect(modules.contains(module) && targets[module] == nil, "\(module)")
            for folder in folders {
                let hasTests = tests.contains { $0.hasPrefix("Tests/\(folder)/test_") }
                #expect(hasTests, "\(module): \(folder)")
            }
        }
    }

    /// The modules that a test target is named after, with the group that it lies in.
    private static func targets() throws -> [String: String] {
        let files = try PackageTree.tests().filter { $0.isSwift && $0.module.hasSuffix("Tests") }
        return files.reduce(into: [:]) { $0[String($1.module.dropLast("Tests".count))] = $1.group }
    }
}
