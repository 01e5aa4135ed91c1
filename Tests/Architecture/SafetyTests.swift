import Testing

@Suite("Calls that are dangerous")
struct SafetyTests {
    /// The modules that print.
    private static let interface: Set = [
        "HealthVaultCommands", "AnswerCommands", "CommandOptions", "CommandOutput", "ExportGeneratorCLI",
    ]

    private static func files(_ modules: Set<String>) throws -> [(file: RepositoryFile, code: SourceCode)] {
        try PackageTree.code().filter { $0.file.isSwift && modules.contains($0.file.module) }
    }

    /// Lengths come from files, directories and manifests, whose sums a stranger may have chosen.
    @Test("lengths are added up where a sum that does not fit cannot end the program")
    func sums() throws {
        // Bits that are shifted together, checksums of one block, seconds, and a count of what is in memory.
        let allowed: Set = [
            "Sources/Archive/ArchiveReading/Chains/ContainerChain.swift",
            "Sources/Formats/AppleHealthExport/Zip/ZipSalvage.swift",
            "Sources/Vault/VaultContainer/ContainerFormat.swift",
            "Sources/Vault/VaultContainer/Entries/ContainerEntry.swift",
            "Sources/Vault/VaultContainer/Stream/TarHeader.swift",
        ]
        let found = try Self.files([
            "AppleHealthExport", "VaultContainer", "BatchCollection", "ArchiveManifest", "ArchiveReading",
            "ArchiveWriting", "HealthStores",
            "HealthExport",
            "RecordedExports", "BulkSessions", "ArchiveVerification", "DriveExports", "HealthVault",
            "CommandOutput",
            "CommandOptions", "AnswerCommands", "HealthVaultCommands",
        ])
        .filter {
            $0.code.contains(".", "reduce", "(", "0") || $0.code.contains(".", "reduce", "(", "into")
        }
        .filter { !Self.reducesInto($0.code) || $0.code.contains(".", "reduce", "(", "0") }
        let paths = Set(found.map(\.file.path))
        #expect(paths.subtracting(allowed).sorted() == [], "not on the list")
        #expect(allowed.subtracting(paths).sorted() == [], "on the list without need")
    }

    /// `reduce(into:)` with something else than a number.
    private static func reducesInto(_ code: SourceCode) -> Bool {
        !code.contains(".", "reduce", "(", "into", ":", "0")
    }

    @Test("what goes to a terminal is never declared to be the program's own text")
    func terminalText() throws {
        let calls = try Self.files(Self.interface).filter {
            $0.code.contains("stringLiteral") || $0.code.contains("stringInterpolation")
        }
        #expect(calls.map(\.file.path) == [])
    }

    @Test("the commands write to their standard streams in one file")
    func standardStreams() throws {
        let allowed: Set = [
            "Sources/Interface/CommandOutput/Terminal/Console.swift",
            "Sources/Development/ExportGeneratorCLI/ExportTarget.swift",
        ]
        let found = try Self.files(Self.interface).filter {
            file, code in
            Self.writesToDescriptor(code) || Self.isCalled("print", in: code)
                || Self.isCalled("fputs", in: code)
                || Self.isCalled("debugPrint", in: code) || Self.isCalled("dump", in: code)
        }
        let paths = Set(found.map(\.file.path))
        #expect(paths.subtracting(allowed).sorted() == [], "not on the list")
        #expect(allowed.subtracting(paths).sorted() == [], "on the list without need")
    }

    /// JSON is written into a writer that is handed on by reference: `slots.write(&writer)`.
    private static func writesToDescriptor(_ code: SourceCode) -> Bool {
        let tokens = code.tokens.map(\.text)
        return tokens.indices.contains { place in
            guard tokens[place...].starts(with: [".", "write", "("]) else { return false }
            var depth = 0
            for next in (place + 2)..<tokens.count {
                if ["(", "["].contains(tokens[next]) { depth += 1 }
                if [")", "]"].contains(tokens[next]) { depth -= 1 }
                if depth == 0 { return true }
                if depth == 1, tokens[next] == "&", tokens[next + 1] == "writer" { return false }
            }
            return true
        }
    }

    @Test("descriptors are made of bare numbers only where the process was given them")
    func inheritedDescriptors() throws {
        let allowed: Set = [
            "Sources/Formats/AppleHealthExport/Source/DocumentProbe.swift",
            "Sources/Interface/HealthVaultCommands/DecryptCommand.swift",
            "Sources/Interface/AssistantServer/Protocol/InputLines.swift",
            "Sources/Interface/CommandOutput/Terminal/Console.swift",
            "Sources/Interface/CommandOptions/Passphrases/PassphraseOptions.swift",
            "Sources/Development/StageBenchmarks/StageBenchmarks.swift",
            "Sources/Development/HealthVaultTestMain/CallGate.swift",
        ]
        let found = try PackageTree.code().filter { $0.file.isSwift && $0.file.module != "SystemIO" }
            .filter { $0.code.contains("FileDescriptor", "(", "inherited") }
        let paths = Set(found.map(\.file.path))
        #expect(paths.subtracting(allowed).sorted() == [], "not on the list")
        #expect(allowed.subtracting(paths).sorted() == [], "on the list without need")
    }

    @Test(
        "files are renamed and removed through an open folder alone",
        arguments: [
            "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "link", "linkat", "symlink",
            "mkdir",
            "mkdirat", "open", "openat", "creat", "truncate", "chmod", "nftw",
        ])
    func calls(function: String) throws {
        let callers = try PackageTree.code().filter { $0.file.isSwift && $0.file.module != "SystemIO" }
            .filter { Self.isCalled(function, in: $0.code) || $0.code.contains("Glibc", ".", function) }
        #expect(callers.map(\.file.path) == [])
    }

    @Test("a folder is removed by its path by the generator alone, which makes what it removes")
    func removeAll() throws {
        let callers = try PackageTree.code().filter { $0.code.contains("Folder", ".", "removeAll") }
        #expect(callers.map(\.file.path) == ["Sources/Development/ExportGeneratorCLI/ExportTarget.swift"])
    }

    /// The function is called by its bare name, and is not a method, nor declared here.
    private static func isCalled(_ function: String, in code: SourceCode) -> Bool {
        let tokens = code.tokens.map(\.text)
        let isDeclared = code.contains("func", function)
        return !isDeclared
            && tokens.indices.dropFirst().contains { place in
                // What takes nothing is a closure of the caller's.
                tokens[place] == function && tokens[place...].dropFirst().starts(with: ["("])
                    && !tokens[place...].dropFirst(2).starts(with: [")"]) && tokens[place - 1] != "."
            }
    }
}
