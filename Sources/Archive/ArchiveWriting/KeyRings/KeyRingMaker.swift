public import HealthArchive
public import SystemIO
import VaultContainer
public import VaultCrypto

/// Makes a key ring of the archives in a folder, so that a job over all of them derives no key.
///
/// ```swift
/// let maker = KeyRingMaker(folder: "study", target: "study.keyring", keyFile: "/run/secrets/study.key")
/// let report = try await maker.make { _ in try passphrase.copy() }
/// ```
public struct KeyRingMaker: Sendable {
    /// The folder with the archives, also in folders below it.
    public let folder: BytePath
    /// The path of the ring.
    public let target: BytePath
    /// The file with the ring's key, which is made if it is missing.
    public let keyFile: BytePath
    /// Whether to replace a ring; keys that it has already are not derived again.
    public var isReplacing = false
    /// The number of archives to open at the same time.
    public var jobs = 1
    /// Whether to stop.
    public var isInterrupted: @Sendable () -> Bool = { false }
    /// Called with the number of archives that are done, and of all.
    public var progress: ProgressHandler = { _ in }

    /// Creates a maker that has made nothing yet.
    public init(folder: BytePath, target: BytePath, keyFile: BytePath) {
        self.folder = folder
        self.target = target
        self.keyFile = keyFile
    }

    /// Returns the archives in the folder and in those below it, of each chain the newest first as far as names show it.
    ///
    /// - Throws: `VaultError`.
    public func archives() throws(VaultError) -> [BytePath] {
        do { return try FolderArchives.paths(below: folder) } catch {
            throw VaultError.wrapping(error, path: folder)
        }
    }

    /// Opens all archives, and writes the ring with their keys; it has its name once it is complete.
    ///
    /// - Parameter passphrase: Returns the passphrase of an archive; nil if there is none for it.
    /// - Returns: What is in the ring, and which archives are not.
    /// - Throws: `VaultError`, the first failure if no archive could be opened. Nothing is written then.
    public func make(
        _ passphrase: @escaping @Sendable (BytePath) throws -> Passphrase?
    ) async throws(VaultError) -> KeyRingReport {
        do {
            try checkPlaces()
            let (key, isNew) = try ringKey()
            let former = isReplacing ? try? KeyRing(reading: target, key: key) : nil
            let keys = try ArchiveKeys(key: key, former: former, passphrase: passphrase)
            let failures = try await open(try archives(), keys)
            guard keys.count > 0 else {
                throw failures.first?.error ?? VaultError(.nothingSelected, path: folder)
            }
            if isNew { try saveKey(key) }
            try save(try keys.ring())
            return KeyRingReport(
                count: keys.count, derivationCount: keys.derivationCount, failures: failures, isKeyNew: isNew)
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    private func open(
        _ paths: [BytePath], _ keys: ArchiveKeys
    ) async throws -> [ArchiveFailure] {
        var failures: [ArchiveFailure] = []
        var done = 0
        let collect = { (failure: ArchiveFailure?) in
            if let failure { failures.append(failure) }
            done += 1
            progress(
                VaultProgress(.reading, subject: "archives", done: done, total: paths.count, unit: .archives))
        }
        var workers = OrderedWorkers<BytePath, ArchiveFailure?>(
            Processors(count: max(0, jobs - 1))
        ) { path in keys.add(path) }
        for path in paths {
            if isInterrupted() {
                await workers.drain()
                throw VaultError(.interrupted, path: target)
            }
            try await workers.submit(path) { collect($0) }
        }
        try await workers.finish { collect($0) }
        return failures
    }

    /// Checks that the ring and its key do not end up side by side, and that nothing else has the ring's name.
    private func checkPlaces() throws {
        let ringFolder = try FileStatus(at: target.parent)
        var folders = [keyFile.parent]
        // A link may lead into the folder of the ring.
        if let key = try? Folder.canonical(keyFile) { folders.append(key.parent) }
        for folder in folders where try FileStatus(at: folder).isSameFile(as: ringFolder) {
            throw VaultError(.container(ContainerError(.keyBesideRing)), path: keyFile)
        }
        try Target.check(target, .text(KeyRing.start), replacing: isReplacing)
    }

    private func ringKey() throws -> (key: RingKey, isNew: Bool) {
        guard try Target.exists(keyFile) else { return (try RingKey.random(), true) }
        do { return (try RingKey(reading: keyFile), false) } catch {
            throw VaultError.wrapping(error, path: keyFile)
        }
    }

    private func saveKey(_ key: RingKey) throws {
        do { try key.save(to: keyFile) } catch { throw VaultError.wrapping(error, path: keyFile) }
    }

    private func save(_ ring: [UInt8]) throws {
        let output = try FormatOutput(file: target, .text(KeyRing.start), replacing: isReplacing)
        do {
            let name: BytePath = "ring"
            try output.append(ring.span, to: name)
            try output.end(name)
            try output.finish(manifest: [], name)
        } catch {
            output.abandon()
            throw error
        }
    }
}
