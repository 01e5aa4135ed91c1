import FolderTesting
import HealthArchive
import HealthExport
import SystemIO
import Testing
import VaultContainer
import VaultCrypto

/// An encrypted export of a source with two damaged files, and the same source when it is sound.
struct FurtherFixture: ~Copyable {
    let folder: TemporaryFolder
    var sound: BytePath { folder.path + "/sound.zip" }
    var source: BytePath { folder.path + "/export.zip" }
    var archive: BytePath { folder.path + "/x.hvault" }
    var further: BytePath { folder.path + "/x.2.hvault" }

    static let names = ["ecg_2017-09-17.csv", "route_2016-07-02_6.06am.gpx"]

    private init() throws { folder = try TemporaryFolder() }

    static func make() async throws -> FurtherFixture {
        let fixture = try FurtherFixture()
        let bytes = try TemporaryFolder.bytes(Fixtures.root + "/exports/export.zip")
        try Self.write(bytes, to: fixture.sound)
        try Self.write(try Self.damaged(bytes, Self.names), to: fixture.source)
        let summary = try await Self.exporter(fixture.source, fixture.archive)
            .exportContainer(passphrase: try Self.passphrase())
        #expect(summary.manifest.damagedFiles.count == 2)
        return fixture
    }

    static func passphrase() throws -> Passphrase {
        let bytes = Array("correct horse battery".utf8)
        return try Passphrase(preparing: bytes.span)
    }

    static func write(_ bytes: [UInt8], to path: BytePath) throws {
        let file = try FileDescriptor(opening: path, .updateOrCreate)
        try file.truncate(to: 0)
        try file.write(bytes.span)
        try file.close()
    }

    /// The zip with zeroes in the compressed bytes of some members.
    private static func damaged(_ zip: [UInt8], _ names: [String]) throws -> [UInt8] {
        var zip = zip
        for name in names {
            let name = Array(name.utf8)
            let place = try #require(
                (0..<(zip.count - name.count)).first { start in
                    zip[start] == name[0] && zip[start..<(start + name.count)].elementsEqual(name)
                })
            for index in 0..<8 { zip[place + 1000 + index] = 0 }
        }
        return zip
    }

    private static func exporter(_ source: BytePath, _ target: BytePath) -> Exporter {
        var exporter = Exporter(source: source, target: target)
        exporter.settings.iterations = 600_000
        return exporter
    }

    /// The source is sound again.
    func mend() throws { try Self.write(try TemporaryFolder.bytes(sound), to: source) }

    func exportFurther() async throws -> Exporter.Summary? {
        try await Self.exporter(source, further).exportFurther(
            continuing: archive, passphrase: try Self.passphrase())
    }

    /// What an export of the sound source is without encryption.
    func plain() async throws -> [BytePath: [UInt8]] {
        _ = try await Exporter(source: sound, target: folder.path + "/plain").exportFolder()
        return try TemporaryFolder.contents(of: folder.path + "/plain")
    }

    func decrypted(_ archive: BytePath) async throws -> [BytePath: [UInt8]] {
        let target = folder.path + "/back"
        _ = try await Decryptor(archive: archive).decrypt(
            to: target, as: .plain, key: .passphrase(try Self.passphrase()))
        defer { try? Folder.removeAll(target) }
        return try TemporaryFolder.contents(of: target)
    }
}
