// swift-tools-version: 6.3

import PackageDescription

// Every target is a row of a table: its folder, whose last part is its name, and what it imports. The README explains the
// groups: a module imports from its own group and from those below it.

/// The modules of the program, by their folders below `Sources`.
let modules = """
    SystemLibraries/CEditline
    SystemLibraries/CPlatform
    SystemLibraries/CSipHash
    SystemLibraries/CCurl
    SystemLibraries/CPostgreSQL
    Ground/ByteText
    Ground/CommandLineKit: ByteText
    Ground/DataCompression: ByteText CISAL CZstd
    Ground/Database: ByteText CSQLite
    Ground/SipHash: ByteText CSipHash
    Ground/SystemIO: ByteText CBlkid CEditline CPlatform
    Vault/VaultCrypto: ByteText COpenSSL CUTF8Proc CZxcvbn SystemIO
    Vault/VaultContainer: ByteText DataCompression SystemIO VaultCrypto
    Model/HealthModelFoundation: ByteText
    Model/SampleBatches: ByteText SipHash
    Model/HealthModel: ByteText SampleBatches
    Formats/AppleHealthExport: ByteText CZip DataCompression HealthModel SampleBatches SipHash SystemIO
    Formats/HealthFormats: AppleHealthExport ByteText Database HealthModel SampleBatches SystemIO
    Formats/HealthFHIR: ByteText HealthFormats HealthModel SampleBatches SipHash SystemIO
    Archive/HealthArchive: AppleHealthExport ByteText DataCompression Database HealthFormats HealthModel \
        SampleBatches SystemIO VaultContainer VaultCrypto
    Archive/ArchiveWriting: ByteText DataCompression HealthArchive HealthFormats SampleBatches SystemIO \
        VaultContainer VaultCrypto
    Answers/HealthQueries: ByteText Database HealthArchive HealthModel SampleBatches SipHash SystemIO \
        VaultContainer VaultCrypto
    Answers/Tables: ByteText Database HealthFormats HealthModel HealthQueries SystemIO
    Answers/HealthReport: AppleHealthExport ByteText HealthModel HealthQueries Tables
    Exports/HealthExport: AppleHealthExport ArchiveWriting ByteText DataCompression HealthArchive HealthFHIR \
        HealthFormats HealthModel SampleBatches SystemIO VaultContainer VaultCrypto
    Exports/HealthSync: ByteText CCurl CPostgreSQL Database HealthArchive HealthFHIR HealthFormats HealthModel \
        HealthQueries SampleBatches SystemIO Tables VaultCrypto
    Exports/BulkSessions: ByteText HealthArchive HealthExport HealthFHIR HealthModel SampleBatches SystemIO
    Exports/DriveExports: AppleHealthExport ArchiveWriting ByteText HealthArchive HealthExport HealthFHIR \
        HealthFormats HealthModel SampleBatches SystemIO VaultContainer VaultCrypto
    Readers/CBrowserReader
    Interface/HealthVault: AppleHealthExport ArchiveWriting BulkSessions ByteText DriveExports HealthArchive \
        HealthExport HealthFHIR HealthFormats HealthModel HealthQueries HealthReport HealthSync SampleBatches \
        SystemIO VaultContainer VaultCrypto
    Interface/Wording: AppleHealthExport ByteText HealthModel HealthQueries HealthReport HealthVault \
        SystemIO VaultContainer VaultCrypto
    Interface/AssistantServer: AppleHealthExport ByteText HealthModel HealthQueries HealthVault \
        SampleBatches SystemIO Tables Wording
    Interface/HealthVaultC: AppleHealthExport ByteText CHealthVault HealthArchive HealthFormats HealthModel \
        HealthQueries SampleBatches SystemIO Tables VaultContainer VaultCrypto Wording
    Interface/Commands: AppleHealthExport AssistantServer ByteText CBrowserReader CommandLineKit \
        HealthFormats HealthModel HealthQueries HealthReport HealthVault SampleBatches SystemIO Tables \
        VaultContainer VaultCrypto Wording
    Development/CAllocations
    Development/CDerivations: COpenSSL
    Development/ExportGenerator: AppleHealthExport ByteText
    Development/HealthStoreTesting: AppleHealthExport ByteText ExportGenerator HealthArchive HealthModel \
        SampleBatches SystemIO
    Development/HealthSyncTesting: ByteText HealthArchive HealthModel HealthQueries HealthStoreTesting \
        HealthSync SampleBatches
    """

/// The programs, by their folders below `Sources`.
let programs = """
    Interface/HealthVaultCLI: Commands
    Development/HealthVaultTestMain: CDerivations Commands SystemIO VaultContainer
    Development/StageBenchmarks: AppleHealthExport ByteText CAllocations CommandLineKit DataCompression \
        HealthFormats HealthModel SampleBatches SystemIO VaultContainer VaultCrypto
    Development/ExportGeneratorCLI: AppleHealthExport ByteText CommandLineKit Commands ExportGenerator \
        HealthVault SystemIO Wording
    """

/// What `make fuzz` builds as well.
let fuzzTargets = """
    Development/FuzzTargets: AppleHealthExport ByteText CFuzzer HealthArchive HealthFormats HealthModel SampleBatches \
        SystemIO VaultContainer VaultCrypto
    """

/// What several targets of tests share, by its folder below `Tests`.
let testSupport = """
    Ground/FolderTesting: SystemIO
    Formats/DocumentTesting: AppleHealthExport ByteText ExportGenerator SampleBatches SystemIO
    """

/// The tests, by their folders below `Tests`.
///
/// All of them are one program, and so `CDerivations` serves every module: no key is derived twice.
let tests = """
    Ground/ByteTextTests: ByteText ExportGenerator SystemIO
    Ground/CommandLineKitTests: CommandLineKit
    Ground/DataCompressionTests: DataCompression SystemIO
    Ground/DatabaseTests: Database
    Ground/SipHashTests: SipHash
    Ground/SystemIOTests: FolderTesting SystemIO
    Vault/VaultContainerTests: ByteText DataCompression SystemIO VaultContainer VaultCrypto
    Vault/VaultCryptoTests: ByteText CDerivations DataCompression SystemIO VaultContainer VaultCrypto
    Model/HealthModelFoundationTests: ByteText HealthModelFoundation
    Model/HealthModelTests: ByteText ExportGenerator HealthModel SampleBatches
    Model/SampleBatchesTests: ByteText ExportGenerator SampleBatches SipHash
    Formats/AppleHealthExportTests: AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting \
        HealthFormats SampleBatches SystemIO
    Formats/HealthFHIRTests: ByteText HealthFHIR HealthModel SampleBatches
    Formats/HealthFormatsTests: ByteText DocumentTesting ExportGenerator FolderTesting HealthFormats \
        HealthModel SampleBatches SystemIO
    Archive/HealthArchiveTests: AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting \
        HealthArchive HealthExport HealthFormats HealthModel HealthStoreTesting SampleBatches SystemIO \
        VaultContainer VaultCrypto
    Answers/HealthQueriesTests: ByteText ExportGenerator HealthArchive HealthModel HealthQueries \
        HealthStoreTesting SampleBatches SystemIO VaultCrypto
    Answers/HealthReportTests: ByteText HealthModel HealthQueries HealthReport HealthStoreTesting
    Answers/TablesTests: ByteText Database SystemIO Tables
    Exports/BulkSessionsTests: BulkSessions ByteText FolderTesting HealthArchive HealthExport HealthModel \
        HealthStoreTesting SampleBatches SystemIO
    Exports/DriveExportsTests: ArchiveWriting ByteText DriveExports FolderTesting HealthArchive HealthExport \
        HealthFormats SystemIO VaultCrypto
    Exports/HealthExportTests: AppleHealthExport ArchiveWriting ByteText DataCompression DocumentTesting \
        ExportGenerator FolderTesting HealthArchive HealthExport HealthFormats HealthModel SampleBatches \
        SystemIO VaultContainer VaultCrypto
    Exports/HealthSyncTests: ByteText Database FolderTesting HealthArchive HealthModel HealthQueries \
        HealthSync HealthSyncTesting SampleBatches SystemIO
    Interface/CommandsTests: ByteText Commands ExportGenerator HealthFormats HealthModel HealthStoreTesting \
        HealthVault SystemIO Tables
    Interface/HealthVaultTests: AppleHealthExport ByteText DocumentTesting ExportGenerator FolderTesting \
        HealthFormats HealthModel HealthStoreTesting HealthVault SystemIO VaultCrypto
    Development/ExportGeneratorTests: ByteText ExportGenerator
    Development/HealthStoreTestingTests: ByteText ExportGenerator HealthModel HealthStoreTesting \
        SampleBatches
    """

/// The libraries of the system, with the packages that provide them on Debian and Ubuntu.
let systemLibraries: [Target] = [
    library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    library("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
    library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    library("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CUTF8Proc", apt: "libutf8proc-dev"),
    library("CZxcvbn", apt: "libzxcvbn-dev"),
    library("CBlkid", pkgConfig: "blkid", apt: "libblkid-dev"),
]

/// Whether make builds: only make asks for unsafe flags, as a package that has some cannot be a dependency of another.
let isMake = Context.environment["HEALTHVAULT_MAKE"] != nil
/// Whether to build the fuzz targets and to instrument all modules for them; only `make fuzz` asks for this.
let isFuzzing = Context.environment["HEALTHVAULT_FUZZ"] != nil

let settings: [SwiftSetting] =
    [
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
    + releaseFlags("-Xfrontend", "-function-sections")
    // One option for both sanitizers: given two, the compiler uses only the last.
    + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-assert-config", "Debug"])] : [])

// Tests are not optimised, even where the modules that they test are: that would take longer than running them. Those that
// compute the most in the fewest lines are.
let unoptimised = releaseFlags("-Onone")
let optimisedTests = ["ByteTextTests"]

/// Programs that are built for use have Swift's libraries in them: they start faster, and run where no Swift is installed.
///
/// They export no symbols, since nothing is loaded into them: thousands of names would be looked through at each start.
/// The addresses of functions in libraries are found at the start, and are then read-only.
let programLinking =
    isFuzzing
    ? [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
    : linkerFlags("-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-znow")
/// The same linker as for programs, because make links all with the same options.
let libraryLinking = ["HealthVaultC": linkerFlags("-use-ld=lld")]

func releaseFlags(_ flags: String...) -> [SwiftSetting] {
    isMake ? [.unsafeFlags(flags, .when(configuration: .release))] : []
}

func linkerFlags(_ flags: String...) -> [LinkerSetting] {
    isMake ? [.unsafeFlags(flags, .when(configuration: .release))] : []
}

func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Makes a target of each row of a table.
func targets(
    _ table: String, _ make: (_ name: String, _ folder: String, _ imports: [Target.Dependency]) -> Target
) -> [Target] {
    table.split(separator: "\n").map { row in
        let words = row.split { $0 == " " || $0 == ":" }.map(String.init)
        let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
        return make(name, words[0], words.dropFirst().map { .byName(name: $0) })
    }
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
    targets: systemLibraries + [.systemLibrary(name: "CHealthVault", path: "Sources/Interface/CHealthVault")]
        + targets(modules + (isFuzzing ? "\nDevelopment/CFuzzer" : "")) { name, folder, imports in
            .target(
                name: name, dependencies: imports, path: "Sources/\(folder)", swiftSettings: settings,
                linkerSettings: libraryLinking[name])
        }
        + targets(programs + (isFuzzing ? "\n" + fuzzTargets : "")) { name, folder, imports in
            .executableTarget(
                name: name, dependencies: imports, path: "Sources/\(folder)", swiftSettings: settings,
                linkerSettings: programLinking)
        }
        + targets(testSupport) { name, folder, imports in
            .target(name: name, dependencies: imports, path: "Tests/\(folder)", swiftSettings: settings)
        }
        + targets(tests) { name, folder, imports in
            .testTarget(
                name: name, dependencies: imports, path: "Tests/\(folder)",
                swiftSettings: settings + (optimisedTests.contains(name) ? [] : unoptimised))
        },
    swiftLanguageModes: [.v6]
)
