public import SystemIO
public import VaultContainer

/// The results of checking all archives in a folder.
public struct ArchivesReport: Sendable {
    /// The archives that were checked, each with those that it continues, and the plain folders; with their reports.
    public private(set) var reports: [(path: BytePath, report: VerificationReport)] = []
    /// What was not checked.
    public private(set) var failures: [ArchiveFailure] = []
    /// The files that are no archives, and were accepted as something else.
    public private(set) var others: [BytePath] = []
}

extension Verifier {
    /// Checks every archive and plain folder in a folder and in those below it.
    ///
    /// Only the archive with the newest export is compared with the source.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - key: The key of the archives.
    ///   - accepts: Checks an encrypted file without a manifest, and returns whether it is something else than an archive
    ///     that may be in the folder.
    /// - Throws: `VaultError` if no archive can be checked at all, or the check is interrupted.
    public func verifyArchives(
        in folder: BytePath, key: ArchiveKey, accepts: (BytePath) throws -> Bool = { _ in false }
    ) async throws(VaultError) -> ArchivesReport {
        var report = ArchivesReport()
        var pending = [folder]
        var plain: [BytePath] = []
        while let place = pending.popLast() {
            let starts: [BytePath]
            do {
                let folders = try Folder.entries(of: place).filter { $0.status.kind == .folder }
                    .map { place / $0.name }.sorted()
                plain += folders.filter { Inspector.kind(of: $0) == .plainFolder }
                pending += folders.filter { Inspector.kind(of: $0) != .plainFolder }.reversed()
                starts = try FolderArchives(in: place, key: key).starts
            } catch {
                report.fail(place, error)
                continue
            }
            for path in starts {
                let verifier = verifier(of: path, comparing: report.isEmpty)
                do {
                    report.add(path, try await verifier.verifyContainer(key: key))
                } catch {
                    do {
                        if error.code == .noManifest, try accepts(path) {
                            report.accept(path)
                            continue
                        }
                    } catch {
                        report.fail(path, error)
                        continue
                    }
                    try report.catching(error, of: path)
                }
            }
        }
        // Of several, one that another key opens says more than one that is damaged.
        if report.reports.isEmpty, report.others.isEmpty {
            let errors = report.failures.map(\.error)
            throw errors.first(where: \.isWrongPassphrase) ?? errors.first
                ?? VaultError(.notAnArchive, path: folder)
        }
        for path in plain {
            do { report.add(path, try await verifier(of: path, comparing: false).verifyFolder()) } catch {
                try report.catching(error, of: path)
            }
        }
        return report
    }

    private func verifier(of path: BytePath, comparing isComparing: Bool) -> Verifier {
        var verifier = self
        verifier.archive = path
        if !isComparing { verifier.removeSource() }
        return verifier
    }
}

extension ArchivesReport {
    fileprivate var isEmpty: Bool { reports.isEmpty && failures.isEmpty }

    fileprivate mutating func add(_ path: BytePath, _ report: VerificationReport) {
        reports.append((path, report))
    }

    fileprivate mutating func accept(_ path: BytePath) { others.append(path) }

    fileprivate mutating func fail(_ path: BytePath, _ error: any Error) {
        failures.append(ArchiveFailure(path, error))
    }

    fileprivate mutating func catching(_ error: VaultError, of path: BytePath) throws(VaultError) {
        guard error.code != .interrupted, !error.isAboutSource else { throw error }
        fail(path, error)
    }
}
