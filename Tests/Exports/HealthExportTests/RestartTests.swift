import FolderTesting
import HealthArchive
import HealthExport
import SystemIO
import Testing
import VaultCrypto

@Suite("Starting over")
struct RestartTests {
    private let text = Array("correct horse battery".utf8)

    private func export(to target: BytePath, encrypted: Bool) async throws {
        var exporter = Exporter(source: Fixtures.root + "/exports/version-14.xml", target: target)
        exporter.restarts = true
        exporter.settings.iterations = 600_000
        if encrypted {
            let passphrase = try Passphrase(preparing: text.span)
            _ = try await exporter.exportContainer(passphrase: passphrase)
        } else {
            _ = try await exporter.exportFolder()
        }
    }

    /// What an interrupted run has left: the start of an archive, or a folder with the mark of another export.
    private func leaveUnfinished(_ target: BytePath, encrypted: Bool) throws {
        if encrypted {
            let start = try FileDescriptor(opening: target, .read).bytes(at: 0, count: 10_000)
            try FileDescriptor(opening: target + ".part", .create).write(start.span)
        } else {
            try Folder.make(target + ".part")
            let mark = target + ".part/.healthvault-unfinished"
            try FileDescriptor(opening: mark, .create).write(text.span)
        }
    }

    @Test("throws away what is unfinished, but not where the target is refused", arguments: [true, false])
    func refused(encrypted: Bool) async throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/x"
        try await export(to: target, encrypted: encrypted)
        try leaveUnfinished(target, encrypted: encrypted)
        let before = try TemporaryFolder.contents(of: folder.path)
        await #expect(throws: VaultError(.targetExists, path: target)) {
            try await export(to: target, encrypted: encrypted)
        }
        #expect(try TemporaryFolder.contents(of: folder.path) == before)
        let open = try OpenFolder(opening: folder.path)
        try open.rename("x", being: open.status(of: "x"), to: "aside")
        try await export(to: target, encrypted: encrypted)
        #expect(try Set(Folder.entries(of: folder.path).map(\.name)) == ["aside", "x"])
    }
}
