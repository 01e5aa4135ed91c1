import ByteText
import DataCompression
import HealthFormats
import SampleBatches
import SystemIO
import VaultCrypto

extension Verifier {
    /// Checks a plain folder: every file against `SHA256SUMS`, then every batch and file against the manifest.
    ///
    /// - Throws: `VaultError` if it cannot be read at all; anything wrong with it is reported.
    public func verifyFolder() async throws(VaultError) -> VerificationReport {
        let start = SystemClock.uptime()
        var report = VerificationReport()
        do {
            let list = try PlainFolder(archive)
            guard list.paths.contains(EntryPath.manifest) else {
                throw VaultError(.noManifest, path: archive)
            }
            let manifest = Result { try ManifestReader.read(try list.bytes(of: EntryPath.manifest)) }
            // Without NDJSON, the samples cannot be compared with a source.
            if source != nil, let readable = try? manifest.get(), !readable.hasLines {
                throw VaultError(.notReadBack, path: archive)
            }
            try checkDigests(list, &report)
            let damaged = Set(report.problems.compactMap(\.path))
            if case .failure = manifest, damaged.contains(EntryPath.manifest) {
                report.seconds = SystemClock.uptime() - start
                return report
            }
            let expected = try manifest.get()
            report.manifest = expected
            var check = ContentCheck(expected)
            for path in list.paths.sorted() where !damaged.contains(path) {
                try checkContent(of: path, list, &check, &report)
            }
            if report.isClean { report.problems += check.problems(holdsGone: false) }
            try await compareSource(expected, (try StoredExport(folder: archive), nil), &report)
            report.seconds = SystemClock.uptime() - start
            return report
        } catch { throw VaultError.wrapping(error, path: archive) }
    }

    private func checkDigests(_ list: PlainFolder, _ report: inout VerificationReport) throws {
        let listed = try list.digests()
        for (path, digest) in listed.sorted(by: { $0.key < $1.key }) {
            guard list.paths.contains(path) else {
                report.problems.append(.missingFile(path: path))
                continue
            }
            do {
                let (found, size) = try list.digest(of: path)
                report.size += size
                if Hexadecimal.text(found) != digest { report.problems.append(.changedFile(path: path)) }
            } catch let error as SystemError where error.isDeviceFailure {
                report.problems.append(.unreadableFile(path: path))
            } catch let error as SystemError where error.isNotFileOrFolder {
                report.problems.append(.noFile(path: path))
            }
        }
        for path in list.paths.sorted() where listed[path] == nil && path != EntryPath.checksums {
            report.problems.append(.unlistedFile(path: path))
        }
    }

    private func checkContent(
        of path: BytePath, _ list: PlainFolder, _ check: inout ContentCheck,
        _ report: inout VerificationReport
    ) throws {
        if path.hasPrefix(EntryPath.files) {
            let (checksum, size) = try list.checksum(of: path)
            check.record(file: path, length: size, crc32: checksum)
        } else if path.hasPrefix(EntryPath.records), path.hasSuffix(EntryPath.linesSuffix) {
            guard let key = check.key(ofFile: path),
                let batch = try? NDJSONReader.read(try list.bytes(of: path), key: key)
            else {
                report.problems.append(.undecodable(path: path))
                return
            }
            check.record(key, batch.identitySum())
        }
    }
}

extension VerificationReport.Problem {
    fileprivate var path: BytePath? {
        switch self {
        case .changedFile(let path), .missingFile(let path), .unlistedFile(let path),
            .unreadableFile(let path), .noFile(let path):
            path
        default: nil
        }
    }
}
