/// The modules in rows: each imports only from rows below its own.
enum Layers: Sendable {
    static let rows: [[String]] = [
        // C
        [
            "COpenSSL", "CISAL", "CZstd", "CZip", "CSQLite", "CUTF8Proc", "CZxcvbn", "CBlkid", "CPlatform",
            "CAllocations",
            "CFuzzer",
        ],
        // Bytes
        ["ByteSpans"],
        // Ground
        ["JSONText", "SystemIO", "CommandLineKit"],
        // Primitives
        ["SampleBatches", "VaultCrypto", "DataCompression", "Database"],
        // Model
        ["HealthTypes"],
        ["HealthModel", "HealthModelFoundation"],
        // Formats
        ["AppleHealthExport", "VaultContainer"],
        ["HealthFormats"],
        // Archives
        ["BatchCollection"],
        ["HealthArchive"],
        ["HealthStores", "ArchiveRecovery", "ArchiveVerification"],
        // Services
        ["HealthExport", "HealthQueries", "ExportGenerator"],
        ["HealthStoreTesting"],
        ["ExportSessions"],
        ["AutomaticExport"],
        // Front
        ["HealthVault"],
        // Interface
        ["CommandOutput"],
        ["HealthVaultCLI", "ExportGeneratorCLI", "StageBenchmarks", "FuzzTargets"],
    ]

    /// The one module that sees a C module.
    static let importersOfC = [
        "COpenSSL": "VaultCrypto",
        "CUTF8Proc": "VaultCrypto",
        "CZxcvbn": "VaultCrypto",
        "CBlkid": "SystemIO",
        "CISAL": "DataCompression",
        "CZstd": "DataCompression",
        "CZip": "AppleHealthExport",
        "CSQLite": "Database",
        "CPlatform": "SystemIO",
        "CAllocations": "StageBenchmarks",
        "CFuzzer": "FuzzTargets",
    ]

    /// The modules that one of the products offers to other packages.
    static let offered: Set = [
        "AppleHealthExport", "ArchiveRecovery", "ArchiveVerification", "AutomaticExport", "ExportGenerator",
        "ExportSessions", "HealthArchive",
        "HealthExport",
        "HealthFormats",
        "HealthModel", "HealthModelFoundation", "HealthQueries", "HealthStores", "HealthStoreTesting",
        "HealthTypes",
        "HealthVault",
        "SampleBatches",
        "SystemIO", "VaultContainer", "VaultCrypto",
    ]

    /// What comes with the system and the toolchain.
    static let systemModules: Set = ["FoundationEssentials", "Glibc", "Synchronization"]

    static let modules = rows.flatMap(\.self)
    /// Those of them that are not C.
    static let swiftModules = rows.dropFirst().flatMap(\.self)

    static func row(of module: String) -> Int? { rows.firstIndex { $0.contains(module) } }
}
