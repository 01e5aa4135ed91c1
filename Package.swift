// swift-tools-version: 6.3

import PackageDescription

/// Whether to build the fuzz targets and to instrument all modules for them; only `make fuzz` asks for this.
let isFuzzing = Context.environment["HEALTHVAULT_FUZZ"] != nil
// One option for both sanitizers: given two, the compiler uses only the last.
let fuzzSettings: [SwiftSetting] =
    isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-assert-config", "Debug"])] : []

let strictSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
]
// Each function in a section of its own, so that the linker leaves out those that nothing calls.
let settings =
    strictSettings + fuzzSettings
    + [.unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))]

/// Declares a module by its folder below `Sources`: the group, and its name.
///
/// The table in the README has the groups in their order: a module imports from its own group and from those below it.
func module(
    _ folder: String, _ dependencies: [Target.Dependency] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: lastPart(of: folder), dependencies: dependencies, path: "Sources/\(folder)",
        swiftSettings: settings, linkerSettings: linkerSettings)
}

/// Programs that are built for use have Swift's libraries in them: they start faster, and run where no Swift is installed.
///
/// They export no symbols, since nothing is loaded into them: thousands of names would be looked through at each start.
/// The addresses of functions in libraries are found at the start, and are then read-only.
let programLinking: [LinkerSetting] =
    isFuzzing
    ? []
    : [
        .unsafeFlags(
            ["-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-znow"],
            .when(configuration: .release))
    ]

/// Declares an executable in the same way.
func program(
    _ folder: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: lastPart(of: folder), dependencies: dependencies, path: "Sources/\(folder)",
        swiftSettings: settings,
        linkerSettings: linkerSettings + programLinking)
}

/// Declares a system library, with the package that provides it on Debian and Ubuntu.
func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Declares tests by their folder below `Tests`.
///
/// They are not optimised, even where the modules that they test are: that would take longer than running them. Those that
/// compute the most in the fewest lines are.
func tests(_ folder: String, _ dependencies: [Target.Dependency], isOptimised: Bool = false) -> Target {
    .testTarget(
        name: lastPart(of: folder), dependencies: dependencies, path: "Tests/\(folder)",
        swiftSettings: settings
            + (isOptimised ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]))
}

/// Declares what several targets of tests share, by its folder below `Tests`.
func support(_ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: lastPart(of: folder), dependencies: dependencies, path: "Tests/\(folder)",
        swiftSettings: settings)
}

func lastPart(of folder: String) -> String {
    String(folder[(folder.lastIndex(of: "/") ?? folder.startIndex)...].drop { $0 == "/" })
}

let package = Package(
    name: "healthvault",
    products: [
        .executable(name: "healthvault", targets: ["HealthVaultCLI"]),
        .executable(name: "healthvault-test-main", targets: ["HealthVaultTestMain"]),
        .executable(name: "healthvault-generate", targets: ["ExportGeneratorCLI"]),
        .library(name: "HealthVault", targets: ["HealthVault"]),
        .library(name: "healthvault-c", type: .dynamic, targets: ["HealthVaultC"]),
        .library(
            name: "HealthModel",
            targets: ["CivilTime", "HealthModel", "HealthQueries", "HealthTypes", "SampleBatches"]),
        .library(name: "HealthModelFoundation", targets: ["HealthModelFoundation"]),
        .library(name: "VaultContainer", targets: ["VaultContainer"]),
        .library(
            name: "ExportGenerator", targets: ["ExportGenerator", "HealthStoreTesting", "HealthSyncTesting"]),
    ],
    targets: [
        library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        library("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CUTF8Proc", apt: "libutf8proc-dev"),
        library("CZxcvbn", apt: "libzxcvbn-dev"),
        library("CBlkid", pkgConfig: "blkid", apt: "libblkid-dev"),
        .target(name: "CEditline", path: "Sources/SystemLibraries/CEditline"),
        .target(name: "CPlatform", path: "Sources/SystemLibraries/CPlatform"),
        .target(name: "CSipHash", path: "Sources/SystemLibraries/CSipHash"),
        .target(name: "CCurl", path: "Sources/SystemLibraries/CCurl"),
        .target(name: "CPostgreSQL", path: "Sources/SystemLibraries/CPostgreSQL"),
        module("Ground/ErrorKinds"),
        module("Ground/ByteSpans"),
        module("Ground/CivilTime", ["ByteSpans"]),
        module(
            "Ground/JSONText",
            ["ByteSpans", "ErrorKinds"]),
        module("Ground/SipHash", ["ByteSpans", "CSipHash"]),
        module(
            "Ground/SystemIO",
            ["ByteSpans", "CBlkid", "CEditline", "CPlatform", "ErrorKinds", "JSONText"]),
        module("Ground/RecordFiles", ["ByteSpans", "CivilTime", "JSONText", "SystemIO"]),
        module("Ground/CommandLineKit", ["ByteSpans", "ErrorKinds"]),
        module(
            "Ground/DataCompression",
            ["ByteSpans", "CISAL", "CZstd", "ErrorKinds"]),
        module(
            "Ground/Database",
            ["CSQLite", "ErrorKinds"]),
        module(
            "Ground/HTTPConnection",
            ["CCurl", "ErrorKinds"]),
        module(
            "Ground/PostgreSQLConnection",
            ["CPostgreSQL", "ErrorKinds"]),
        module(
            "Vault/VaultCrypto",
            ["COpenSSL", "CUTF8Proc", "CZxcvbn", "ErrorKinds", "SystemIO"]),
        module(
            "Vault/VaultContainer",
            ["ByteSpans", "DataCompression", "ErrorKinds", "JSONText", "SystemIO", "VaultCrypto"]),
        module(
            "Model/SampleBatches",
            ["ByteSpans", "CivilTime", "ErrorKinds", "JSONText", "SipHash"]),
        module(
            "Model/HealthTypes",
            ["ErrorKinds", "SampleBatches"]),
        module(
            "Model/HealthModel",
            ["ByteSpans", "CivilTime", "ErrorKinds", "HealthTypes", "JSONText", "SampleBatches"]),
        module("Model/HealthModelFoundation", ["CivilTime"]),
        module(
            "Formats/AppleHealthExport",
            [
                "ByteSpans", "CZip", "CivilTime", "DataCompression", "ErrorKinds", "JSONText",
                "SampleBatches", "SipHash", "SystemIO",
            ]),
        module(
            "Formats/HealthFormats",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "Database", "ErrorKinds", "HealthModel",
                "HealthTypes", "JSONText", "SampleBatches", "SystemIO",
            ]),
        module(
            "Formats/HealthFHIR",
            [
                "ByteSpans", "CivilTime", "ErrorKinds", "HealthFormats", "HealthModel", "HealthTypes",
                "JSONText", "SampleBatches", "SipHash", "SystemIO",
            ]),
        module(
            "Archive/BatchCollection",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "HealthModel", "SampleBatches",
            ]),
        module(
            "Archive/ArchiveManifest",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "DataCompression", "Database", "ErrorKinds",
                "HealthFormats", "HealthModel", "JSONText", "RecordFiles", "SampleBatches", "SystemIO",
                "VaultContainer",
                "VaultCrypto",
            ]),
        module(
            "Archive/ArchiveReading",
            [
                "AppleHealthExport", "ArchiveManifest", "BatchCollection", "ByteSpans", "CivilTime",
                "DataCompression", "HealthFormats", "HealthModel", "JSONText", "RecordFiles", "SampleBatches",
                "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Archive/ArchiveWriting",
            [
                "ArchiveManifest", "ArchiveReading", "ByteSpans", "CivilTime", "DataCompression",
                "HealthFormats", "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Archive/HealthStores",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "ArchiveWriting", "BatchCollection",
                "ByteSpans",
                "CivilTime", "DataCompression", "HealthFormats", "HealthModel", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Archive/ArchiveVerification",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "BatchCollection", "ByteSpans",
                "CivilTime", "DataCompression", "HealthFormats", "HealthModel", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Archive/ArchiveRecovery",
            [
                "ArchiveManifest", "ArchiveReading", "ArchiveWriting", "ByteSpans", "DataCompression",
                "ErrorKinds", "JSONText", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Answers/HealthQueries",
            ["ByteSpans", "CivilTime", "ErrorKinds", "HealthModel", "SampleBatches", "SipHash"]),
        module(
            "Answers/HealthReport",
            ["AppleHealthExport", "CivilTime", "HealthModel", "HealthQueries", "JSONText", "Tables"]),
        module(
            "Answers/HealthAnalytics",
            [
                "ArchiveManifest", "CivilTime", "Database", "ErrorKinds", "HealthModel", "HealthQueries",
                "JSONText", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Answers/Tables",
            [
                "CivilTime", "HealthAnalytics", "HealthFormats", "HealthModel", "HealthQueries",
                "HealthTypes", "JSONText", "SystemIO",
            ]),
        module(
            "Exports/HealthExport",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "ArchiveWriting", "BatchCollection",
                "ByteSpans", "CivilTime", "DataCompression", "ErrorKinds", "HealthFHIR", "HealthFormats",
                "HealthModel", "HealthTypes", "JSONText", "RecordFiles", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Exports/BulkSessions",
            [
                "ArchiveManifest", "CivilTime", "ErrorKinds", "HealthExport", "HealthFHIR", "HealthModel",
                "JSONText", "RecordFiles", "SampleBatches", "SystemIO",
            ]),
        module(
            "Exports/DriveExports",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "ArchiveVerification",
                "ArchiveWriting", "ByteSpans", "CivilTime", "ErrorKinds", "HealthExport", "HealthFHIR",
                "HealthFormats", "HealthModel", "HealthTypes", "RecordFiles", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "Exports/HealthSync",
            [
                "ArchiveManifest", "ByteSpans", "CivilTime", "Database", "ErrorKinds", "HTTPConnection",
                "HealthFHIR", "HealthModel", "HealthQueries", "JSONText", "RecordFiles",
                "PostgreSQLConnection",
                "SampleBatches", "SystemIO",
            ]),
        module(
            "Interface/HealthVault",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "ArchiveRecovery",
                "ArchiveVerification", "ArchiveWriting", "BulkSessions", "CivilTime", "DriveExports",
                "ErrorKinds", "HealthAnalytics", "HealthExport", "HealthFHIR", "HealthFormats", "HealthModel",
                "HealthQueries", "HealthReport", "HealthStores", "HealthSync", "HealthTypes", "SampleBatches",
                "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        .target(name: "CBrowserReader", path: "Sources/Readers/CBrowserReader"),
        module(
            "Interface/Wording",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "ErrorKinds", "HealthAnalytics", "HealthModel",
                "HealthQueries", "HealthReport", "HealthVault", "JSONText", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ]),
        module(
            "Interface/CommandOutput",
            [
                "ByteSpans", "CivilTime", "CommandLineKit", "ErrorKinds", "HealthAnalytics", "HealthFormats",
                "HealthModel", "HealthQueries", "HealthReport", "HealthVault", "JSONText", "SampleBatches",
                "SystemIO", "Tables", "VaultContainer", "Wording",
            ]),
        module(
            "Interface/CommandOptions",
            [
                "AppleHealthExport", "CivilTime", "CommandLineKit", "CommandOutput", "ErrorKinds",
                "HealthModel", "HealthVault", "SampleBatches", "SystemIO", "Tables", "VaultContainer",
                "VaultCrypto", "Wording",
            ]),
        module(
            "Interface/AssistantServer",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "HealthModel", "HealthQueries", "HealthVault",
                "JSONText", "SampleBatches", "SystemIO", "Tables", "Wording",
            ]),
        module(
            "Interface/AnswerCommands",
            [
                "AssistantServer", "CivilTime", "CommandLineKit", "CommandOptions", "CommandOutput",
                "HealthAnalytics", "HealthModel", "HealthQueries", "HealthReport", "HealthVault", "JSONText",
                "SystemIO", "Tables", "Wording",
            ]),
        module(
            "Interface/HealthVaultCommands",
            [
                "AnswerCommands", "ByteSpans", "CBrowserReader", "CivilTime", "CommandLineKit",
                "CommandOptions", "CommandOutput", "ErrorKinds", "HealthVault", "JSONText", "SampleBatches",
                "SystemIO", "Tables", "VaultContainer", "VaultCrypto", "Wording",
            ]),
        program("Interface/HealthVaultCLI", ["HealthVaultCommands"]),
        .systemLibrary(name: "CHealthVault", path: "Sources/Interface/CHealthVault"),
        module(
            "Interface/HealthVaultC",
            [
                "ArchiveManifest", "ArchiveReading", "ByteSpans", "CHealthVault", "CivilTime", "ErrorKinds",
                "HealthFormats", "HealthModel", "HealthQueries", "HealthStores", "SampleBatches", "SystemIO",
                "Tables", "VaultContainer", "VaultCrypto", "Wording",
            ],
            // The same linker as for programs, because `make build` links all with the same options.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
        program(
            "Development/HealthVaultTestMain",
            ["CDerivations", "HealthVaultCommands", "SystemIO", "VaultContainer"]),
        .target(
            name: "CDerivations", dependencies: ["COpenSSL"], path: "Sources/Development/CDerivations"),
        module("Development/ExportGenerator", ["AppleHealthExport", "CivilTime"]),
        program(
            "Development/ExportGeneratorCLI",
            [
                "AppleHealthExport", "CommandLineKit", "CommandOutput", "ExportGenerator", "HealthVault",
                "Wording",
                "JSONText", "SystemIO",
            ]),
        module(
            "Development/HealthStoreTesting",
            [
                "AppleHealthExport", "CivilTime", "ExportGenerator", "HealthModel", "HealthStores",
                "SampleBatches", "SystemIO",
            ]),
        module(
            "Development/HealthSyncTesting",
            [
                "ArchiveManifest", "CivilTime", "HealthModel", "HealthQueries", "HealthStoreTesting",
                "HealthSync",
                "SampleBatches",
            ]),
        program(
            "Development/StageBenchmarks",
            [
                "AppleHealthExport", "BatchCollection", "CAllocations", "CivilTime", "CommandLineKit",
                "DataCompression", "HealthFormats", "HealthModel", "JSONText", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        .target(name: "CAllocations", path: "Sources/Development/CAllocations"),
        tests("Ground/ByteSpansTests", ["ByteSpans"], isOptimised: true),
        tests("Ground/SipHashTests", ["SipHash"]),
        tests("Ground/CivilTimeTests", ["CivilTime", "SystemIO"]),
        tests("Ground/JSONTextTests", ["ExportGenerator", "JSONText", "SystemIO"]),
        tests("Ground/SystemIOTests", ["SystemIO"]),
        tests("Ground/CommandLineKitTests", ["CommandLineKit"]),
        tests("Ground/DataCompressionTests", ["DataCompression", "SystemIO"]),
        tests("Ground/DatabaseTests", ["Database"]),
        tests("Ground/RecordFilesTests", ["FolderTesting", "RecordFiles", "SystemIO"]),
        support("Ground/FolderTesting", ["SystemIO"]),
        tests(
            "Vault/VaultCryptoTests",
            // All tests are one program, and so this holds for those of every module: none derives a key twice.
            [
                "CDerivations", "DataCompression", "JSONText", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        tests(
            "Vault/VaultContainerTests",
            ["ByteSpans", "DataCompression", "JSONText", "SystemIO", "VaultContainer", "VaultCrypto"]),
        tests(
            "Model/SampleBatchesTests",
            [
                "ByteSpans", "CivilTime", "ExportGenerator", "JSONText", "SampleBatches", "SipHash",
            ]),
        tests("Model/HealthTypesTests", ["ExportGenerator", "HealthModel", "HealthTypes", "SampleBatches"]),
        tests(
            "Model/HealthModelTests",
            [
                "CivilTime", "ExportGenerator", "HealthModel", "HealthTypes", "SampleBatches",
            ]),
        tests("Model/HealthModelFoundationTests", ["CivilTime", "HealthModelFoundation"]),
        tests(
            "Formats/AppleHealthExportTests",
            [
                "AppleHealthExport", "ByteSpans", "CivilTime", "DocumentTesting", "ExportGenerator",
                "FolderTesting", "HealthFormats", "SampleBatches", "SystemIO",
            ]),
        tests(
            "Formats/HealthFormatsTests",
            [
                "ByteSpans", "CivilTime", "DocumentTesting", "ExportGenerator", "FolderTesting",
                "HealthFormats", "HealthModel", "SampleBatches", "SystemIO",
            ]),
        tests(
            "Formats/HealthFHIRTests",
            ["CivilTime", "HealthFHIR", "HealthModel", "SampleBatches"]),
        support(
            "Formats/DocumentTesting",
            [
                "AppleHealthExport", "CivilTime", "ExportGenerator", "SampleBatches", "SystemIO",
            ]),
        tests(
            "Archive/BatchCollectionTests",
            [
                "AppleHealthExport", "BatchCollection", "CivilTime", "ExportGenerator", "HealthFormats",
                "SampleBatches", "SystemIO",
            ]),
        tests(
            "Archive/ArchiveManifestTests",
            [
                "ArchiveManifest", "ExportGenerator", "SystemIO", "VaultContainer",
            ]),
        tests(
            "Archive/HealthStoresTests",
            [
                "AppleHealthExport", "ArchiveManifest", "BatchCollection", "CivilTime", "DocumentTesting",
                "ExportGenerator", "FolderTesting", "HealthExport", "HealthFormats", "HealthModel",
                "HealthStoreTesting",
                "HealthStores", "SampleBatches", "SystemIO", "VaultCrypto",
            ]),
        tests(
            "Archive/ArchiveVerificationTests",
            [
                "ArchiveVerification", "FolderTesting", "HealthExport", "SystemIO",
            ]),
        tests(
            "Answers/HealthQueriesTests",
            [
                "ArchiveManifest", "CivilTime", "ExportGenerator", "HealthModel", "HealthQueries",
                "HealthStoreTesting", "HealthTypes", "SampleBatches",
            ]),
        tests(
            "Exports/HealthExportTests",
            [
                "AppleHealthExport", "ArchiveManifest", "ArchiveReading", "ArchiveVerification",
                "ArchiveWriting", "CivilTime", "DataCompression", "DocumentTesting", "ExportGenerator",
                "FolderTesting", "HealthExport", "HealthFormats", "HealthModel", "HealthStores",
                "HealthTypes", "RecordFiles", "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        tests(
            "Exports/BulkSessionsTests",
            [
                "ArchiveManifest", "BulkSessions", "CivilTime", "FolderTesting", "HealthExport",
                "HealthModel", "HealthStoreTesting", "HealthTypes", "SampleBatches", "SystemIO",
            ]),
        tests(
            "Exports/HealthSyncTests",
            [
                "ArchiveManifest", "CivilTime", "Database", "FolderTesting", "HealthModel", "HealthQueries",
                "HealthSync",
                "HealthSyncTesting", "SampleBatches", "SystemIO",
            ]),
        tests(
            "Answers/HealthReportTests",
            ["CivilTime", "HealthModel", "HealthQueries", "HealthReport", "HealthStoreTesting"]),
        tests(
            "Answers/HealthAnalyticsTests",
            [
                "CivilTime", "HealthAnalytics", "HealthModel", "HealthQueries",
                "HealthStoreTesting", "SystemIO", "VaultCrypto",
            ]),
        tests("Answers/TablesTests", ["CivilTime", "SystemIO", "Tables"]),
        tests(
            "Exports/DriveExportsTests",
            [
                "ArchiveManifest", "ArchiveReading", "ArchiveWriting", "CivilTime", "DriveExports",
                "FolderTesting", "HealthExport", "HealthFormats", "RecordFiles", "SystemIO", "VaultCrypto",
            ]),
        tests(
            "Interface/HealthVaultTests",
            [
                "AppleHealthExport", "CivilTime", "DocumentTesting", "ExportGenerator", "FolderTesting",
                "HealthFormats", "HealthModel", "HealthStoreTesting", "HealthVault", "SystemIO",
                "VaultCrypto",
            ]),
        tests(
            "Interface/CommandOutputTests",
            [
                "CivilTime", "CommandOutput", "ExportGenerator", "HealthFormats", "HealthModel",
                "HealthStoreTesting", "HealthTypes", "HealthVault", "SystemIO", "Tables",
            ]),
        tests("Development/ExportGeneratorTests", ["CivilTime", "ExportGenerator"]),
        tests(
            "Development/HealthStoreTestingTests",
            [
                "CivilTime", "ExportGenerator", "HealthModel", "HealthStoreTesting", "SampleBatches",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

if isFuzzing {
    package.targets += [
        .target(name: "CFuzzer", path: "Sources/Development/CFuzzer"),
        program(
            "Development/FuzzTargets",
            [
                "AppleHealthExport", "ArchiveManifest", "CFuzzer", "CivilTime", "HealthFormats",
                "HealthModel", "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}
