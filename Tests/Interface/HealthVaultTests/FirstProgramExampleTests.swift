import ByteText
import FolderTesting
import HealthVault
import SystemIO
import Testing
import VaultCrypto

/// Stands for the arguments of the program in the example.
private enum CommandLine {
    static let arguments = ["HeartRates", "\(Fixtures.root)/exports/export.zip"]
}

@Suite("The first program of the documentation")
struct FirstProgramExampleTests {
    @Test("depends on the package")
    func manifest() throws {
        let lines = """
            dependencies: [
                .package(path: "../healthvault")
            ],
            targets: [
                .executableTarget(
                    name: "HeartRates",
                    dependencies: [.product(name: "HealthVault", package: "healthvault")])
            ]
            """
        let package = String(
            decoding: try TemporaryFolder.bytes(Fixtures.root.parent / "Package.swift"), as: UTF8.self)
        #expect(lines.contains("name: \"HealthVault\"") && package.contains("name: \"HealthVault\""))
        #expect(lines.contains("package: \"healthvault\"") && package.contains("name: \"healthvault\""))
    }

    @Test("prints the average resting heart rate of each month")
    func heartRates() async throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let store = try ExportStore(path: BytePath(CommandLine.arguments[1]))
        let query = StatisticsQuery(.restingHeartRate, [.average], by: .calendar(.month))
        for month in try await store.statistics(query).intervals {
            print(month.start.day, month.average ?? 0)
        }
        #expect(printed == ["2020-09-01 53.0"])
    }

    @Test("opens an archive")
    func archive() async throws {
        let folder = try TemporaryFolder()
        let path = try await ExampleArchive.write(in: folder.path)
        func readLine() -> String? { "correct horse battery" }

        let text = readLine() ?? ""
        let passphrase = try Passphrase(preparing: Array(text.utf8).span)
        let store = try ArchiveStore(container: path, key: .passphrase(passphrase))
        #expect(try await store.sampleTypes().count > 1)
    }
}
