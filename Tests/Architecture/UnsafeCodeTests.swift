import Testing

@Suite("Unsafe code")
struct UnsafeCodeTests {
    /// The files that may say `unsafe`: the last steps to the system and to C.
    private static let allowed: Set = [
        "Sources/Formats/AppleHealthExport/Zip/ZipDirectory.swift",
        "Sources/Formats/AppleHealthExport/Zip/ZipFailure.swift",
        "Sources/Formats/AppleHealthExport/Zip/ZipMemberStream.swift",
        "Sources/Formats/AppleHealthExport/Zip/ZipWriter.swift",
        "Sources/Ground/ByteSpans/ByteColumns.swift",
        "Sources/Ground/ByteSpans/Decimal.swift",
        "Sources/Ground/ByteSpans/OutputBytes.swift",
        "Sources/Ground/ByteSpans/RawBytes.swift",
        "Sources/Ground/ByteSpans/SpanBytes.swift",
        "Sources/Ground/SipHash/SipHashes.swift",
        "Sources/Ground/DataCompression/CRC32.swift",
        "Sources/Ground/DataCompression/Inflate.swift",
        "Sources/Ground/DataCompression/Zstandard.swift",
        "Sources/Ground/SystemIO/Process/CallerExecutor.swift",
        "Sources/Ground/Database/BlobWriter.swift",
        "Sources/Ground/Database/Database.swift",
        "Sources/Ground/Database/DatabaseError.swift",
        "Sources/Ground/Database/Statement.swift",
        "Sources/Ground/Database/TemporaryFolder.swift",
        "Sources/Development/FuzzTargets/FuzzTool.swift",
        "Sources/Ground/HTTPConnection/HTTPConnection.swift",
        "Sources/Ground/PostgreSQLConnection/PostgreSQLConnection.swift",
        "Sources/Ground/SystemIO/Calls/Syscalls.swift",
        "Sources/Ground/SystemIO/Files/FolderChanges.swift",
        "Sources/Ground/SystemIO/Process/LockedPages.swift",
        "Sources/Ground/SystemIO/Process/CurrentProcess.swift",
        "Sources/Ground/SystemIO/Calls/SystemError.swift",
        "Sources/Ground/SystemIO/Calls/SystemClock.swift",
        "Sources/Ground/SystemIO/Volumes/FilesystemIdentity.swift",
        "Sources/Ground/SystemIO/Terminal/LineInput.swift",
        "Sources/Ground/SystemIO/Terminal/Shell.swift",
        "Sources/Ground/SystemIO/Terminal/Terminal.swift",
        "Sources/Interface/HealthVaultC/Arrow/ArrowBuffer.swift",
        "Sources/Interface/HealthVaultC/Arrow/ArrowExport.swift",
        "Sources/Interface/HealthVaultC/Arrow/ArrowStream.swift",
        "Sources/Interface/HealthVaultC/Functions/ArchiveFunctions.swift",
        "Sources/Interface/HealthVaultC/Functions/CallerArguments.swift",
        "Sources/Interface/HealthVaultC/Functions/CapsuleFunctions.swift",
        "Sources/Interface/HealthVaultC/Functions/StreamFunctions.swift",
        "Sources/Interface/HealthVaultC/Threads/Monitor.swift",
        "Sources/Interface/HealthVaultC/Threads/WorkerThread.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/AES256GCM.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/HKDFSHA512.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/HMACSHA512.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/PBKDF2.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/ConstantTime.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/Random.swift",
        "Sources/Vault/VaultCrypto/OpenSSL/SHA256.swift",
        "Sources/Vault/VaultCrypto/Passphrase/Passphrase.swift",
        "Sources/Vault/VaultCrypto/Passphrase/PassphraseStrength.swift",
    ]

    @Test("the word unsafe appears in the listed files and in no others")
    func listed() throws {
        let found = Set(try Self.files().map(\.path))
        #expect(found.subtracting(Self.allowed).sorted() == [], "not on the list")
        #expect(Self.allowed.subtracting(found).sorted() == [], "on the list without need")
    }

    @Test(
        "modules that need nothing unsafe have nothing unsafe",
        arguments: [
            "SampleBatches", "HealthTypes", "HealthModel", "JSONText", "HealthFHIR", "HealthFormats",
            "CommandLineKit",
            "BatchCollection",
            "ArchiveManifest", "ArchiveReading", "ArchiveWriting", "HealthStores", "HealthExport",
            "RecordedExports", "BulkSessions", "HealthSync", "HealthVault",
            "ArchiveVerification", "AssistantServer", "DriveExports", "CommandOutput", "CommandOptions",
            "AnswerCommands", "HealthVaultCommands",
            "VaultContainer",
        ])
    func safeModules(module: String) throws {
        let found = try Self.files().filter { $0.module == module }.map(\.path)
        #expect(found == [])
    }

    private static func files() throws -> [RepositoryFile] {
        try PackageTree.code().filter { $0.file.isSwift && $0.code.contains("unsafe") }.map(\.file)
    }
}
