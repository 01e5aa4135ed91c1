import ArchiveWriting
import ByteText
import HealthArchive
import HealthExport
import SystemIO
import VaultContainer
import VaultCrypto

/// What follows an export: it is read back, recorded, and surplus exports are removed.
extension DriveExport {
    /// Reads the export back once more, and checks everything in it.
    func verify(_ output: Output, _ secret: HeldPassphrase?) async throws {
        let report = try await verification(of: output.path, secret)
        guard report.isFlawless else {
            try attendant.report(.flawed(report, output.path))
            throw VaultError(.manifestMismatch, path: output.path)
        }
        try attendant.report(.verified(output.path))
    }

    /// Returns whether an archive may be continued, because it was verified earlier or is found intact now.
    ///
    /// A damaged archive is not continued, and does not count as an existing export.
    func isWhole(_ archive: BytePath, _ secret: HeldPassphrase) async throws -> Bool {
        let records = try history.all().filter { $0.destination == destination.name }
        if records.last?.result != .failed, isChainVerified(archive, in: records) { return true }
        var isWhole = false
        do {
            let report = try await verification(of: archive, secret)
            isWhole = report.isFlawless
            let identity = OutputIdentity.of(archive, isEncrypted: true)
            if let record = records.last(where: { $0.hasOutput && $0.identity == identity }) {
                _ = try history.confirm(record, at: archive, report)
            }
        } catch {
            // Without one that it continues, it is as good as damaged.
            guard ErrorKind(error) == .damaged || (error as? VaultError)?.isAboutPredecessor == true else {
                throw error
            }
        }
        if !isWhole { try attendant.report(.damaged(archive)) }
        return isWhole
    }

    private func verification(
        of path: BytePath, _ secret: HeldPassphrase?
    ) async throws -> VerificationReport {
        var verifier = Verifier(archive: path)
        verifier.jobs = options.settings.jobs
        verifier.isInterrupted = attendant.isInterrupted
        verifier.progress = attendant.showProgress(of: .verification)
        guard let secret else { return try await verifier.verifyFolder() }
        return try await verifier.verifyContainer(key: .passphrase(secret))
    }

    /// Removes the remains of interrupted exports, and exports beyond the number to keep.
    ///
    /// A failure here does not affect the result of the export.
    func tidy(
        after record: HistoryRecord, besides path: BytePath, _ secret: HeldPassphrase?,
        _ claim: DestinationClaim
    ) {
        do {
            try claim.check(location, of: destination)
            try removeUnfinished(besides: path)
            guard let count = options.kept else { return }
            let pruning = Pruning(
                history, after: record, in: location.path, key: secret.map { .passphrase($0) })
            let outcome = try pruning.keep(count, checking: { try claim.check(location, of: destination) }) {
                path, doubt in
                attendant.agree(to: .removal(path, doubt))
            }
            for path in outcome.removed { try attendant.report(.removed(path)) }
            for (path, doubt) in outcome.kept { try attendant.report(.kept(path, doubt)) }
            for (path, error) in outcome.failed { try attendant.report(.notRemoved(path, error)) }
        } catch {
            try? attendant.report(.notTidied(error))
        }
    }

    func removeUnfinished(besides path: BytePath) throws {
        let known = try unfinishedIdentities
        for left in try Shelf(location.path).abandoned(besides: path, { known.contains($0) }) {
            let isRemoved = try? UnfinishedOutput.remove(
                ofTarget: left.path, isEncrypted: left.isEncrypted, identity: left.identity)
            guard isRemoved == true else { continue }
            if let identity = left.identity { try unfinished.remove(identity) }
            try attendant.report(.removedUnfinished(left.path))
        }
    }
}
