import SystemIO

/// A file of the repository, named by its path from the root.
struct RepositoryFile: Sendable {
    let path: String
    let bytes: [UInt8]
    /// The folders it lies in and its name: `["Sources", "SystemIO", "SystemError.swift"]`.
    let parts: [String]
    /// The group that it belongs to, such as `Ground`; none for the tests of the whole tree, in `Tests/Architecture`.
    let group: String
    /// The module or test target that it belongs to.
    let module: String
    /// The folder of its module that it lies in; empty for the module's own.
    let folder: String

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        parts = path.split(separator: "/").map(String.init)
        let isArchitecture = path.hasPrefix("Tests/Architecture/")
        group = parts.count > 3 && !isArchitecture ? parts[1] : ""
        module = isArchitecture ? parts[1] : parts.count > 3 ? parts[2] : ""
        folder = parts.dropFirst(isArchitecture ? 2 : 3).dropLast().joined(separator: "/")
    }

    /// Whether it is part of a Swift or C module; a reader in another language is none.
    var isModule: Bool { isSwift || isC || path.hasSuffix(".modulemap") }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isSwift: Bool { path.hasSuffix(".swift") }
    var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }
    var lineCount: Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    func contains(_ text: String) -> Bool {
        self.text.contains(text)
    }
}

/// The repository that these tests lie in.
enum PackageTree: Sendable {
    /// Where it is: three folders above this file's.
    static let root = (0..<4).reduce(BytePath(#filePath)) { path, _ in path.parent }

    /// What can be seen at the top.
    static func topLevelNames() throws -> [String] {
        try Folder.entries(of: root).map(\.name.description).filter { !$0.hasPrefix(".") }
    }

    static func manifest() throws -> RepositoryFile { try file("Package.swift") }

    /// All files below `Sources`.
    static func sources() throws -> [RepositoryFile] { try cachedSources.get() }

    /// All files below `Tests`.
    static func tests() throws -> [RepositoryFile] { try cachedTests.get() }

    /// The Swift and C files below `Sources`, taken apart.
    static func code() throws -> [(file: RepositoryFile, code: SourceCode)] { try cachedCode.get() }

    /// What a module or a test target imports, with a file that does.
    static func imports(of module: String) throws -> [String: String] {
        try cachedImports.get()[module] ?? [:]
    }

    private static let cachedSources = Result { try files(below: "Sources") }
    private static let cachedTests = Result { try files(below: "Tests") }
    private static let cachedCode = Result { try code(of: sources()) }
    private static let cachedImports = Result {
        var imports: [String: [String: String]] = [:]
        for (file, code) in try code() + code(of: tests()) where file.isSwift {
            for name in code.imports { imports[file.module, default: [:]][name] = file.path }
        }
        return imports
    }

    private static func code(of files: [RepositoryFile]) -> [(file: RepositoryFile, code: SourceCode)] {
        files.filter { $0.isSwift || $0.isC }.map { file in
            (file: file, code: SourceCode(file.bytes, file.isSwift ? .swift : .c))
        }
    }

    /// The files below a folder; hidden ones and what Python leaves behind are no part of the repository.
    private static func files(below folder: String) throws -> [RepositoryFile] {
        var files: [RepositoryFile] = []
        for entry in try Folder.entries(of: "\(root)/\(folder)") {
            guard !entry.name.hasPrefix("."), entry.name != "__pycache__" else { continue }
            let path = "\(folder)/\(entry.name.description)"
            if entry.status.kind == .folder {
                files += try Self.files(below: path)
            } else {
                files.append(try file(path))
            }
        }
        return files
    }

    static func file(_ path: String) throws -> RepositoryFile {
        let descriptor = try FileDescriptor(opening: "\(root)/\(path)", .read)
        return RepositoryFile(
            path: path, bytes: try descriptor.bytes(at: 0, count: descriptor.status().size))
    }
}
