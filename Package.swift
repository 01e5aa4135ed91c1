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
/// What it imports is listed by names with spaces between them.
func module(_ folder: String, _ imports: String..., linking: [LinkerSetting] = []) -> Target {
    .target(
        name: lastPart(of: folder), dependencies: names(imports), path: "Sources/\(folder)",
        swiftSettings: settings, linkerSettings: linking)
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
func program(_ folder: String, _ imports: String..., linking: [LinkerSetting] = []) -> Target {
    .executableTarget(
        name: lastPart(of: folder), dependencies: names(imports), path: "Sources/\(folder)",
        swiftSettings: settings, linkerSettings: linking + programLinking)
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
func tests(_ folder: String, _ imports: String..., isOptimised: Bool = false) -> Target {
    .testTarget(
        name: lastPart(of: folder), dependencies: names(imports), path: "Tests/\(folder)",
        swiftSettings: settings
            + (isOptimised ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]))
}

/// Declares what several targets of tests share, by its folder below `Tests`.
func support(_ folder: String, _ imports: String...) -> Target {
    .target(
        name: lastPart(of: folder), dependencies: names(imports), path: "Tests/\(folder)",
        swiftSettings: settings)
}

func names(_ lists: [String]) -> [Target.Dependency] {
    lists.flatMap { $0.split(separator: " ") }.map { .byName(name: String($0)) }
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
        .library(name: "HealthModel", targets: ["ByteText", "HealthModel", "SampleBatches"]),
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
        module("Ground/ByteText"),
        module("Ground/CommandLineKit", "ByteText"),
        module("Ground/DataCompression", "ByteText CISAL CZstd"),
        module("Ground/Database", "ByteText CSQLite"),
        module("Ground/SipHash", "ByteText CSipHash"),
        module("Ground/SystemIO", "ByteText CBlkid CEditline CPlatform"),
        module("Vault/VaultCrypto", "ByteText COpenSSL CUTF8Proc CZxcvbn SystemIO"),
        module("Vault/VaultContainer", "ByteText DataCompression SystemIO VaultCrypto"),
        module("Model/HealthModelFoundation", "ByteText"),
        module("Model/SampleBatches", "ByteText SipHash"),
        module("Model/HealthModel", "ByteText SampleBatches"),
        module(
            "Formats/AppleHealthExport",
            "ByteText CZip DataCompression HealthModel SampleBatches SipHash SystemIO"),
        module(
            "Formats/HealthFormats", "AppleHealthExport ByteText Database HealthModel SampleBatches SystemIO"),
        module("Formats/HealthFHIR", "ByteText HealthFormats HealthModel SampleBatches SipHash SystemIO"),
        module(
            "Archive/HealthArchive",
            "AppleHealthExport ByteText DataCompression Database HealthFormats HealthModel SampleBatches SystemIO",
            "VaultContainer VaultCrypto"),
        module(
            "Archive/ArchiveWriting",
            "ByteText DataCompression HealthArchive HealthFormats SampleBatches SystemIO VaultContainer",
            "VaultCrypto"),
        module(
            "Answers/HealthQueries",
            "ByteText Database HealthArchive HealthModel SampleBatches SipHash SystemIO VaultContainer",
            "VaultCrypto"),
        module("Answers/Tables", "ByteText HealthFormats HealthModel HealthQueries SystemIO"),
        module("Answers/HealthReport", "AppleHealthExport ByteText HealthModel HealthQueries Tables"),
        module(
            "Exports/HealthExport",
            "AppleHealthExport ArchiveWriting ByteText DataCompression HealthArchive HealthFHIR HealthFormats",
            "HealthModel SampleBatches SystemIO VaultContainer VaultCrypto"),
        module(
            "Exports/HealthSync",
            "ByteText CCurl CPostgreSQL Database HealthArchive HealthFHIR HealthModel HealthQueries SampleBatches",
            "SystemIO"),
        module(
            "Exports/BulkSessions",
            "ByteText HealthArchive HealthExport HealthFHIR HealthModel SampleBatches SystemIO"),
        module(
            "Exports/DriveExports",
            "AppleHealthExport ArchiveWriting ByteText HealthArchive HealthExport HealthFHIR HealthFormats",
            "HealthModel SampleBatches SystemIO VaultContainer VaultCrypto"),
        .target(name: "CBrowserReader", path: "Sources/Readers/CBrowserReader"),
        .systemLibrary(name: "CHealthVault", path: "Sources/Interface/CHealthVault"),
        module(
            "Interface/HealthVault",
            "AppleHealthExport ArchiveWriting BulkSessions ByteText DriveExports HealthArchive HealthExport",
            "HealthFHIR HealthFormats HealthModel HealthQueries HealthReport HealthSync SampleBatches SystemIO",
            "VaultContainer VaultCrypto"),
        module(
            "Interface/Wording",
            "AppleHealthExport ByteText HealthModel HealthQueries HealthReport HealthVault SystemIO",
            "VaultContainer VaultCrypto"),
        module(
            "Interface/AssistantServer",
            "AppleHealthExport ByteText HealthModel HealthQueries HealthVault SampleBatches SystemIO Tables",
            "Wording"),
        module(
            "Interface/HealthVaultC",
            "ByteText CHealthVault HealthArchive HealthFormats HealthModel HealthQueries SampleBatches SystemIO",
            "Tables VaultContainer VaultCrypto Wording",
            // The same linker as for programs, because `make build` links all with the same options.
            linking: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),
        module(
            "Interface/Commands",
            "AppleHealthExport AssistantServer ByteText CBrowserReader CommandLineKit HealthFormats HealthModel",
            "HealthQueries HealthReport HealthVault SampleBatches SystemIO Tables VaultContainer VaultCrypto",
            "Wording"),
        program("Interface/HealthVaultCLI", "Commands"),
        .target(name: "CAllocations", path: "Sources/Development/CAllocations"),
        .target(name: "CDerivations", dependencies: ["COpenSSL"], path: "Sources/Development/CDerivations"),
        module("Development/ExportGenerator", "AppleHealthExport ByteText"),
        program("Development/HealthVaultTestMain", "CDerivations Commands SystemIO VaultContainer"),
        program(
            "Development/StageBenchmarks",
            "AppleHealthExport ByteText CAllocations CommandLineKit DataCompression HealthFormats HealthModel",
            "SampleBatches SystemIO VaultContainer VaultCrypto"),
        program(
            "Development/ExportGeneratorCLI",
            "AppleHealthExport ByteText CommandLineKit Commands ExportGenerator HealthVault SystemIO Wording"),
        module(
            "Development/HealthStoreTesting",
            "AppleHealthExport ByteText ExportGenerator HealthArchive HealthModel SampleBatches SystemIO"),
        module(
            "Development/HealthSyncTesting",
            "ByteText HealthArchive HealthModel HealthQueries HealthStoreTesting HealthSync SampleBatches"),
        tests("Ground/ByteTextTests", "ByteText ExportGenerator SystemIO", isOptimised: true),
        tests("Ground/CommandLineKitTests", "CommandLineKit"),
        tests("Ground/DataCompressionTests", "DataCompression SystemIO"),
        tests("Ground/DatabaseTests", "Database"),
        support("Ground/FolderTesting", "SystemIO"),
        tests("Ground/SipHashTests", "SipHash"),
        tests("Ground/SystemIOTests", "FolderTesting SystemIO"),
        tests("Vault/VaultContainerTests", "ByteText DataCompression SystemIO VaultContainer VaultCrypto"),
        // All tests are one program, and so CDerivations serves those of every module: none derives a key twice.
        tests(
            "Vault/VaultCryptoTests",
            "ByteText CDerivations DataCompression SystemIO VaultContainer VaultCrypto"),
        tests("Model/HealthModelFoundationTests", "ByteText HealthModelFoundation"),
        tests("Model/HealthModelTests", "ByteText ExportGenerator HealthModel SampleBatches"),
        tests("Model/SampleBatchesTests", "ByteText ExportGenerator SampleBatches SipHash"),
        tests(
            "Formats/AppleHealthExportTests",
            "AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting HealthFormats SampleBatches",
            "SystemIO"),
        support(
            "Formats/DocumentTesting", "AppleHealthExport ByteText ExportGenerator SampleBatches SystemIO"),
        tests("Formats/HealthFHIRTests", "ByteText HealthFHIR HealthModel SampleBatches"),
        tests(
            "Formats/HealthFormatsTests",
            "ByteText DocumentTesting ExportGenerator FolderTesting HealthFormats HealthModel SampleBatches",
            "SystemIO"),
        tests(
            "Archive/HealthArchiveTests",
            "AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting HealthArchive HealthExport",
            "HealthFormats HealthModel HealthStoreTesting SampleBatches SystemIO VaultContainer VaultCrypto"),
        tests(
            "Answers/HealthQueriesTests",
            "ByteText ExportGenerator HealthArchive HealthModel HealthQueries HealthStoreTesting SampleBatches",
            "SystemIO VaultCrypto"),
        tests(
            "Answers/HealthReportTests", "ByteText HealthModel HealthQueries HealthReport HealthStoreTesting"),
        tests("Answers/TablesTests", "ByteText SystemIO Tables"),
        tests(
            "Exports/BulkSessionsTests",
            "BulkSessions ByteText FolderTesting HealthArchive HealthExport HealthModel HealthStoreTesting",
            "SampleBatches SystemIO"),
        tests(
            "Exports/DriveExportsTests",
            "ArchiveWriting ByteText DriveExports FolderTesting HealthArchive HealthExport HealthFormats SystemIO",
            "VaultCrypto"),
        tests(
            "Exports/HealthExportTests",
            "AppleHealthExport ArchiveWriting ByteText DataCompression DocumentTesting ExportGenerator",
            "FolderTesting HealthArchive HealthExport HealthFormats HealthModel SampleBatches SystemIO",
            "VaultContainer VaultCrypto"),
        tests(
            "Exports/HealthSyncTests",
            "ByteText Database FolderTesting HealthArchive HealthModel HealthQueries HealthSync HealthSyncTesting",
            "SampleBatches SystemIO"),
        tests(
            "Interface/CommandsTests",
            "ByteText Commands ExportGenerator HealthFormats HealthModel HealthStoreTesting HealthVault SystemIO",
            "Tables"),
        tests(
            "Interface/HealthVaultTests",
            "AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting HealthFormats HealthModel",
            "HealthStoreTesting HealthVault SystemIO VaultCrypto"),
        tests("Development/ExportGeneratorTests", "ByteText ExportGenerator"),
        tests(
            "Development/HealthStoreTestingTests",
            "ByteText ExportGenerator HealthModel HealthStoreTesting SampleBatches"),
    ],
    swiftLanguageModes: [.v6]
)

if isFuzzing {
    package.targets += [
        .target(name: "CFuzzer", path: "Sources/Development/CFuzzer"),
        program(
            "Development/FuzzTargets",
            "AppleHealthExport ByteText CFuzzer HealthArchive HealthFormats HealthModel SampleBatches SystemIO",
            "VaultContainer VaultCrypto",
            linking: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}
