import Testing

@Suite("Unsafe code")
struct UnsafeCodeTests {
    /// The files that may say `unsafe`: the last steps to the system and to C.
    private static let allowed: Set = [
        "Sources/AppleHealthExport/Zip/ZipDirectory.swift",
        "Sources/AppleHealthExport/Zip/ZipFailure.swift",
        "Sources/AppleHealthExport/Zip/ZipMemberStream.swift",
        "Sources/AppleHealthExport/Zip/ZipWriter.swift",
        "Sources/ByteSpans/ByteColumns.swift",
        "Sources/ByteSpans/Decimal.swift",
        "Sources/ByteSpans/OutputBytes.swift",
        "Sources/ByteSpans/RawBytes.swift",
        "Sources/ByteSpans/SpanBytes.swift",
        "Sources/DataCompression/CRC32.swift",
        "Sources/DataCompression/Inflate.swift",
        "Sources/DataCompression/Zstandard.swift",
        "Sources/Database/BlobWriter.swift",
        "Sources/Database/Database.swift",
        "Sources/Database/DatabaseError.swift",
        "Sources/Database/Statement.swift",
        "Sources/Database/TemporaryFolder.swift",
        "Sources/FuzzTargets/FuzzTool.swift",
        "Sources/SystemIO/Calls/Syscalls.swift",
        "Sources/SystemIO/Memory/LockedPages.swift",
        "Sources/SystemIO/CurrentProcess.swift",
        "Sources/SystemIO/SystemError.swift",
        "Sources/SystemIO/SystemClock.swift",
        "Sources/SystemIO/Volumes/FilesystemIdentity.swift",
        "Sources/SystemIO/Terminal/Shell.swift",
        "Sources/SystemIO/Terminal/Terminal.swift",
        "Sources/VaultCrypto/OpenSSL/AES256GCM.swift",
        "Sources/VaultCrypto/OpenSSL/HKDFSHA512.swift",
        "Sources/VaultCrypto/OpenSSL/HMACSHA512.swift",
        "Sources/VaultCrypto/OpenSSL/PBKDF2.swift",
        "Sources/VaultCrypto/OpenSSL/ConstantTime.swift",
        "Sources/VaultCrypto/OpenSSL/Random.swift",
        "Sources/VaultCrypto/OpenSSL/SHA256.swift",
        "Sources/VaultCrypto/Passphrase/Passphrase.swift",
        "Sources/VaultCrypto/Passphrase/PassphraseStrength.swift",
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
            "SampleBatches", "HealthTypes", "HealthModel", "JSONText", "HealthFormats", "CommandLineKit",
            "BatchCollection",
            "HealthArchive", "HealthStores", "HealthExport", "ExportSessions", "HealthVault",
            "ArchiveVerification", "AutomaticExport", "CommandOutput", "HealthVaultCLI",
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
