import Testing

@Suite("Names of files are bytes")
struct FileNameTests {
    /// What is about files, by modules and folders.
    private static let places = [
        "Sources/Ground/SystemIO/", "Sources/Vault/VaultContainer/", "Sources/Archive/BatchCollection/",
        "Sources/Archive/ArchiveManifest/", "Sources/Archive/ArchiveReading/",
        "Sources/Archive/ArchiveWriting/",
        "Sources/Exports/HealthExport/", "Sources/Exports/RecordedExports/", "Sources/Exports/BulkSessions/",
        "Sources/Formats/AppleHealthExport/Zip/",
        "Sources/Formats/AppleHealthExport/Source/",
    ]

    /// Words that a name of a file or folder, or of what holds it, has in it.
    private static let words: Set = [
        "path", "paths", "name", "names", "file", "files", "folder", "folders", "target", "targets",
        "archive",
        "archives", "source", "sources", "entry", "entries",
    ]

    /// Names of something else: by file, and in a file by name.
    private static let allowed: [String: Set<String>] = [
        // Attributes and members of JSON objects.
        "Sources/Archive/BatchCollection/DocumentFacts.swift": ["name"],
        "Sources/Archive/ArchiveManifest/Manifest/ManifestJSON.swift": ["firstName", "lastName"],
        "Sources/Exports/BulkSessions/State/SessionStateReader.swift": ["name"],
        "Sources/Vault/VaultContainer/Entries/ContainerEntry.swift": ["name"],
        "Sources/Ground/SystemIO/Paths/JSONPaths.swift": ["name"],
        // Paths by the names of members, and such names.
        "Sources/Exports/RecordedExports/Records/ExportRecordLine.swift": ["name", "paths"],
        // Apps and devices that samples come from.
        "Sources/Archive/ArchiveReading/Inspection/Inspector.swift": ["sources"],
        "Sources/Archive/ArchiveManifest/Manifest/Manifest.swift": ["sources"],
        "Sources/Archive/ArchiveManifest/Manifest/SubjectFacts.swift": ["sources"],
        // Types of samples, and what is made of their names in ASCII alone.
        "Sources/Archive/ArchiveManifest/Naming/EntryPath.swift": ["name"],
        "Sources/Exports/BulkSessions/Sessions/SessionRequest.swift": ["typeNames"],
        // Options, variables of the environment, and elements of the document.
        "Sources/Exports/RecordedExports/Records/ExportRecord.swift": ["names"],
        "Sources/Ground/SystemIO/Process/CurrentProcess.swift": ["name"],
    ]

    @Test("what is called after a file, a folder or its name is no text")
    func noText() throws {
        let found = try Self.found()
        let others = found.mapValues { $0 }.compactMap { file, names in
            let rest = names.subtracting(Self.allowed[file] ?? [])
            return rest.isEmpty ? nil : "\(file): \(rest.sorted())"
        }
        #expect(others.sorted() == [], "not on the list")
    }

    @Test("the list of exceptions has nothing that is not there")
    func exceptions() throws {
        let found = try Self.found()
        let needless = Self.allowed.compactMap { file, names in
            let rest = names.subtracting(found[file] ?? [])
            return rest.isEmpty ? nil : "\(file): \(rest.sorted())"
        }
        #expect(needless.sorted() == [], "on the list without need")
    }

    @Test("a name is judged by its words")
    func nameWords() {
        #expect(Self.wordsOf("temporaryName") == ["temporary", "name"])
        #expect(Self.wordsOf("path") == ["path"] && Self.wordsOf("isXMLFile") == ["is", "xmlfile"])
        #expect(Self.wordsOf("_fileURL2") == ["file", "url2"])
    }

    private static func found() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for (file, code) in try PackageTree.code() where file.isSwift {
            guard places.contains(where: { file.path.hasPrefix($0) }) else { continue }
            let names = TextDeclarations(code).names.filter { !words.isDisjoint(with: wordsOf($0)) }
            if !names.isEmpty { found[file.path] = Set(names) }
        }
        return found
    }

    /// The words of a name in camel case, in lower case.
    private static func wordsOf(_ name: String) -> Set<String> {
        var words: [String] = []
        var wasUpper = true
        for character in name {
            let isUpper = character.isUppercase
            if words.isEmpty || character == "_" || isUpper && !wasUpper { words.append("") }
            wasUpper = isUpper
            if character != "_" { words[words.count - 1] += character.lowercased() }
        }
        return Set(words.filter { !$0.isEmpty })
    }
}
