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
let settings = strictSettings + fuzzSettings

/// Declares a module of the project; the architecture tests check what it may import.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Declares a system library, with the package that provides it on Debian and Ubuntu.
func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "healthvault",
    products: [
        .executable(name: "healthvault", targets: ["HealthVaultCLI"]),
        .executable(name: "healthvault-generate", targets: ["ExportGeneratorCLI"]),
        .library(
            name: "HealthVault",
            targets: ["HealthVault"]),
        .library(
            name: "HealthModel", targets: ["HealthModel", "HealthQueries", "HealthTypes", "SampleBatches"]),
        .library(name: "HealthModelFoundation", targets: ["HealthModelFoundation"]),
        .library(name: "VaultContainer", targets: ["VaultContainer"]),
        .library(name: "ExportGenerator", targets: ["ExportGenerator", "HealthStoreTesting"]),
    ],
    targets: [
        // C
        library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
        library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
        library("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CUTF8Proc", apt: "libutf8proc-dev"),
        library("CZxcvbn", apt: "libzxcvbn-dev"),
        library("CBlkid", pkgConfig: "blkid", apt: "libblkid-dev"),
        .target(name: "CPlatform"),
        .target(name: "CAllocations"),
        // Bytes
        module("ByteSpans"),
        // Ground
        module("JSONText", ["ByteSpans"]),
        module("SystemIO", ["ByteSpans", "CBlkid", "CPlatform"]),
        module("CommandLineKit"),
        // Primitives
        module("SampleBatches", ["ByteSpans", "JSONText"]),
        module("VaultCrypto", ["COpenSSL", "CUTF8Proc", "CZxcvbn", "SystemIO"]),
        module("Database", ["CSQLite"]),
        module("DataCompression", ["ByteSpans", "CISAL", "CZstd"]),
        // Model
        module("HealthTypes", ["SampleBatches"]),
        module("HealthModel", ["ByteSpans", "HealthTypes", "JSONText", "SampleBatches"]),
        module("HealthModelFoundation", ["SampleBatches"]),
        // Formats
        module(
            "AppleHealthExport",
            ["ByteSpans", "CZip", "DataCompression", "JSONText", "SampleBatches", "SystemIO"]),
        module(
            "HealthFormats",
            [
                "AppleHealthExport", "ByteSpans", "Database", "HealthModel", "HealthTypes", "JSONText",
                "SampleBatches", "SystemIO",
            ]),
        module("VaultContainer", ["ByteSpans", "DataCompression", "JSONText", "SystemIO", "VaultCrypto"]),
        // Archives
        module("BatchCollection", ["AppleHealthExport", "ByteSpans", "HealthModel", "SampleBatches"]),
        module(
            "HealthArchive",
            [
                "AppleHealthExport", "BatchCollection", "ByteSpans", "DataCompression", "Database",
                "HealthFormats", "HealthModel", "JSONText", "SampleBatches", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ]),
        module(
            "ArchiveRecovery",
            [
                "ByteSpans", "DataCompression", "HealthArchive", "JSONText", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module(
            "ArchiveVerification",
            [
                "AppleHealthExport", "BatchCollection", "ByteSpans", "DataCompression", "HealthArchive",
                "HealthFormats", "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        module(
            "HealthStores",
            [
                "AppleHealthExport", "BatchCollection", "ByteSpans", "HealthArchive", "HealthModel",
                "SampleBatches", "SystemIO", "VaultCrypto",
            ]),
        // Services
        module("HealthQueries", ["HealthModel", "SampleBatches"]),
        module(
            "HealthExport",
            [
                "AppleHealthExport", "BatchCollection", "ByteSpans", "DataCompression", "HealthArchive",
                "HealthFormats", "HealthModel", "JSONText", "SampleBatches", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ]),
        module(
            "ExportSessions",
            [
                "ByteSpans", "HealthArchive", "HealthExport", "HealthModel", "JSONText", "SampleBatches",
                "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        module(
            "AutomaticExport",
            [
                "AppleHealthExport", "ByteSpans", "HealthArchive", "JSONText", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        module("ExportGenerator", ["AppleHealthExport"]),
        module(
            "HealthStoreTesting",
            [
                "AppleHealthExport", "ExportGenerator", "HealthModel", "HealthStores", "SampleBatches",
                "SystemIO",
            ]),
        // Front
        module(
            "HealthVault",
            [
                "AppleHealthExport", "ArchiveRecovery", "ArchiveVerification", "AutomaticExport",
                "ExportSessions", "HealthArchive", "HealthExport", "HealthFormats", "HealthModel",
                "HealthQueries", "HealthStores", "HealthTypes", "SampleBatches", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ]),
        // Interface
        module(
            "CommandOutput",
            [
                "AppleHealthExport", "ByteSpans", "CommandLineKit", "HealthModel", "HealthQueries",
                "HealthVault", "JSONText", "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ]),
        .executableTarget(
            name: "HealthVaultCLI",
            dependencies: [
                "AppleHealthExport", "ByteSpans", "CommandLineKit", "CommandOutput", "HealthModel",
                "HealthQueries", "HealthVault", "JSONText", "SampleBatches", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ExportGeneratorCLI",
            dependencies: [
                "AppleHealthExport", "CommandLineKit", "ExportGenerator", "JSONText", "SampleBatches",
                "SystemIO",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "StageBenchmarks",
            dependencies: [
                "AppleHealthExport", "BatchCollection", "CAllocations", "CommandLineKit", "DataCompression",
                "HealthFormats", "HealthModel", "JSONText", "SampleBatches", "SystemIO", "VaultContainer",
                "VaultCrypto",
            ],
            swiftSettings: settings),
        // Tests
        tests("AutomaticExportTests", ["AutomaticExport", "HealthArchive", "SampleBatches", "SystemIO"]),
        tests("ByteSpansTests", ["ByteSpans"]),
        tests("JSONTextTests", ["ExportGenerator", "JSONText", "SystemIO"]),
        tests("SystemIOTests", ["SystemIO"]),
        tests("DatabaseTests", ["Database"]),
        tests("DataCompressionTests", ["DataCompression", "SystemIO"]),
        tests(
            "VaultCryptoTests", ["DataCompression", "JSONText", "SystemIO", "VaultContainer", "VaultCrypto"]),
        tests("VaultContainerTests", ["DataCompression", "SystemIO", "VaultContainer", "VaultCrypto"]),
        tests("ArchitectureTests", ["SystemIO"]),
        tests(
            "AppleHealthExportTests",
            [
                "AppleHealthExport", "ByteSpans", "ExportGenerator", "HealthFormats", "HealthModel",
                "SampleBatches", "SystemIO",
            ]),
        tests(
            "HealthVaultTests",
            [
                "AppleHealthExport", "ArchiveVerification", "BatchCollection", "ExportGenerator",
                "ExportSessions", "HealthArchive", "HealthExport", "HealthFormats", "HealthModel",
                "HealthStoreTesting", "HealthStores", "HealthVault", "SampleBatches", "SystemIO",
                "VaultContainer", "VaultCrypto",
            ]),
        tests("HealthModelFoundationTests", ["HealthModelFoundation", "SampleBatches"]),
        tests("SampleBatchesTests", ["ExportGenerator", "SampleBatches", "SystemIO"]),
        tests("HealthModelTests", ["ExportGenerator", "HealthModel", "HealthTypes", "SampleBatches"]),
        tests(
            "HealthQueriesTests",
            [
                "ExportGenerator", "HealthArchive", "HealthModel", "HealthQueries", "HealthStoreTesting",
                "HealthTypes", "SampleBatches",
            ]),
        tests("CommandLineKitTests", ["CommandLineKit"]),
        tests("CommandOutputTests", ["CommandOutput", "HealthVault"]),
        tests("ExportGeneratorTests", ["ExportGenerator"]),
    ],
    swiftLanguageModes: [.v6]
)

if isFuzzing {
    package.targets += [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "FuzzTargets",
            dependencies: [
                "AppleHealthExport", "CFuzzer", "HealthArchive", "HealthFormats", "HealthModel",
                "SampleBatches", "SystemIO", "VaultContainer", "VaultCrypto",
            ],
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}
