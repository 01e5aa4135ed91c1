import SystemIO
import VaultContainer
import VaultCrypto

/// The file of a database: the database itself or, if its name ends in `.hvault`, a container with it.
///
/// The database is in memory while it is used; the file is replaced as a whole, so that its name always leads to a
/// complete one.
struct AnalyticsFile: Sendable {
    let path: BytePath
    /// The passphrase of the container; nil for a plain file.
    let passphrase: HeldPassphrase?

    /// The name of the database inside a container.
    static let entryName: BytePath = "analytics.sqlite"
    private static let temporarySuffix: BytePath = ".part"

    /// Returns whether a database with this name is encrypted.
    static func isEncrypted(_ path: BytePath) -> Bool { path.name.hasExtension(".hvault") }

    init(_ path: BytePath, _ passphrase: HeldPassphrase?) throws(AnalyticsError) {
        self.path = path
        guard Self.isEncrypted(path) else {
            self.passphrase = nil
            return
        }
        guard let passphrase else { throw AnalyticsError(.passphraseNeeded, path: path) }
        self.passphrase = passphrase
    }

    /// Returns the status of the file; nil if there is none.
    func status() throws -> FileStatus? { try OpenFolder(holding: path).statusIfThere(of: path.name) }

    /// A file that stays open, so that no other one gets its number.
    final class Kept: Sendable {
        let status: FileStatus
        private let file: FileDescriptor

        init(_ file: consuming FileDescriptor) throws(SystemError) {
            status = try file.status()
            self.file = file
        }
    }

    /// Returns the bytes of the database, and the file.
    func read() throws -> (bytes: [UInt8], file: Kept) {
        let folder = try OpenFolder(holding: path)
        guard let found = try folder.statusIfThere(of: path.name) else {
            throw AnalyticsError(.missing, path: path)
        }
        guard found.kind == .file else { throw AnalyticsError(.notAnalytics, path: path) }
        let kept = try Kept(folder.open(path.name, .read))
        if let passphrase {
            let reader = try ContainerReader(opening: path, key: .passphrase(passphrase))
            guard let entry = reader.entries.first(where: { $0.name == Self.entryName }) else {
                throw AnalyticsError(.notAnalytics, path: path)
            }
            return (try reader.data(of: entry), kept)
        }
        let file = try folder.open(path.name, .read)
        return (try file.bytes(at: 0, count: file.status().size), kept)
    }

    /// Writes the database under a temporary name, and gives it its name once it is complete.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the database.
    ///   - replaced: The file to replace; nil if there is none.
    ///   - seconds: The time, in seconds since 1970.
    /// - Returns: The new file.
    func write(_ bytes: [UInt8], replacing replaced: Kept?, at seconds: Int) throws -> Kept {
        let replaced = replaced?.status
        if let replaced {
            guard let now = try status(), now.isSameFile(as: replaced) else {
                throw AnalyticsError(.changed, path: path)
            }
        }
        if let passphrase {
            try writeContainer(bytes, passphrase, replacing: replaced, at: seconds)
        } else {
            try writePlain(bytes, replacing: replaced)
        }
        return try Kept(OpenFolder(holding: path).open(path.name, .read))
    }

    private func writePlain(_ bytes: [UInt8], replacing replaced: FileStatus?) throws {
        let folder = try OpenFolder(holding: path)
        let unfinished = path.name + Self.temporarySuffix
        let file = try folder.claim(unfinished, .updateOrCreate)
        // A crash leaves a file under this name that starts like a database; any other is left alone.
        let start = try file.bytes(at: 0, count: AnalyticsDatabase.fileStart.count)
        guard try start == AnalyticsDatabase.fileStart || Self.isBlank(file) else {
            throw AnalyticsError(.inTheWay, path: path.sibling(unfinished))
        }
        do {
            try file.truncate(to: 0)
            try file.write(bytes.span, at: 0)
            try file.sync()
            try folder.rename(unfinished, being: file.status(), to: path.name, replacing: replaced)
        } catch {
            if let status = try? file.status() { try? folder.removeFile(unfinished, being: status) }
            throw error
        }
    }

    private func writeContainer(
        _ bytes: [UInt8], _ passphrase: HeldPassphrase, replacing replaced: FileStatus?, at seconds: Int
    ) throws {
        try removeLeftover(passphrase)
        let key = try ContainerKey.new()
        let header = try key.newHeader(passphrase: passphrase.copy())
        var writer = try ContainerWriter(
            path: path, key: key, tool: "healthvault analytics", created: "", modified: seconds)
        let unfinished = writer.unfinished
        do {
            try writer.write(header)
            try writer.add(Self.entryName, bytes.span)
            _ = try writer.finish(header, replacing: replaced)
        } catch {
            try? unfinished.remove()
            throw error
        }
    }

    /// Removes what a crash left of an encrypted database under its temporary name.
    ///
    /// - Throws: `AnalyticsError`, with `inTheWay` if it may be anything else, which is left alone.
    private func removeLeftover(_ passphrase: HeldPassphrase) throws {
        let folder = try OpenFolder(holding: path)
        let unfinished = path.name + Self.temporarySuffix
        guard let status = try folder.statusIfThere(of: unfinished) else { return }
        guard status.kind == .file, try isLeftover(path.sibling(unfinished), passphrase) else {
            throw AnalyticsError(.inTheWay, path: path.sibling(unfinished))
        }
        try UnfinishedFile.remove(unfinished, in: folder, being: status)
    }

    /// Returns whether an unfinished container has nothing in it that could be used, or nothing but a database.
    private func isLeftover(_ unfinished: BytePath, _ passphrase: HeldPassphrase) throws -> Bool {
        if try Self.isBlank(FileDescriptor(opening: unfinished, .read)) { return true }
        do {
            let found = try UnfinishedContents(of: unfinished, key: .passphrase(passphrase))
            return found.members.allSatisfy { $0 == Self.entryName }
        } catch {
            if case .io = error.code { throw error }
            return error.code == .incomplete
        }
    }

    /// Returns whether a file has no byte but zeroes; some file systems grow a file before they write its bytes.
    private static func isBlank(_ file: borrowing FileDescriptor) throws -> Bool {
        let piece = 1 << 20
        for start in stride(from: 0, to: try file.status().size, by: piece) {
            guard try file.bytes(at: start, count: piece).allSatisfy({ $0 == 0 }) else { return false }
        }
        return true
    }
}
