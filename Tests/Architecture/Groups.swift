import Testing

/// The groups of modules, from the lowest to the highest: a module imports from its own group and from those below it.
///
/// A group is a folder in `Sources`, a module a folder in that of its group; what a module is stands in the README.
enum Groups: Sendable {
    static let names = [
        "SystemLibraries", "Ground", "Vault", "Model", "Formats", "Archive", "Answers", "Exports", "Readers",
        "Interface", "Development",
    ]

    /// What comes with the system and the toolchain.
    static let systemModules: Set = ["FoundationEssentials", "Glibc", "Synchronization"]

    /// The modules of the package by their group; readers in other languages are none.
    static func modules() throws -> [String: Set<String>] {
        try PackageTree.sources().filter { $0.isModule }.reduce(into: [:]) {
            $0[$1.group, default: []].insert($1.module)
        }
    }

    /// The modules of all groups up to this one.
    static func modules(upTo group: String) throws -> Set<String> {
        let place = try #require(names.firstIndex(of: group))
        let modules = try modules()
        return Set(names[...place].flatMap { modules[$0] ?? [] })
    }

    /// The modules with Swift files, sorted: the arguments of the tests about modules.
    static let swiftModules = sorted { $0.isSwift }
    /// The modules without, which are C or descriptions of C libraries.
    static let cModules = sorted { $0.isModule }.filter { !swiftModules.contains($0) }

    private static func sorted(where isIncluded: (RepositoryFile) -> Bool) -> [String] {
        // A test that finds no modules fails: `GroupTests` compares them with the README's.
        Set(((try? PackageTree.sources()) ?? []).filter(isIncluded).map(\.module)).sorted()
    }
}
