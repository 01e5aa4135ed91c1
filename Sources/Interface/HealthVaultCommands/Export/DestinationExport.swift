import CivilTime
import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO
import VaultContainer
import VaultCrypto

/// An export to a destination: finds the drive, chooses a name, exports, verifies, records the result, and removes
/// surplus exports.
struct DestinationExport {
    private let command: ExportCommand
    private let destination: Destination
    private let location: DestinationLocation
    private let history: History
    private let stateFolder: BytePath
    /// Whether a schedule requested the export.
    var isScheduled = false
    private let began = SystemClock.now()
    private let start = SystemClock.uptime()

    /// Finds the destination.
    ///
    /// - Throws: `DestinationError` if it cannot be found.
    init(_ command: ExportCommand, _ name: String) throws {
        self.command = command
        let state = try command.run.stateFolder.required()
        stateFolder = state.path
        history = History(inState: state.path)
        destination = try command.destination.configuration.destinations.destination(name)
        location = try destination.locate()
    }

    /// The output of an export.
    private struct Output {
        let path: BytePath
        let manifest: Manifest
        let size: Int
        var continues: BytePath?
        let status: ExitStatus
    }

    func run() async throws -> ExitStatus {
        var written: HistoryRecord?
        do {
            let claim = try location.claim()
            defer { withExtendedLifetime(claim) {} }
            try checkSpace()
            let shelf = try Shelf(location.path)
            let isAsked = command.encrypt && !command.run.passphrase.isGiven
            let (output, secret) = try await PassphraseAttempts.run(whileAsked: isAsked) {
                let secret = command.encrypt ? try passphrase(shelf) : nil
                return (try await export(shelf, secret), secret)
            }
            guard let output else {
                _ = try remember(.nothingNew, nil)
                return .done
            }
            // Recorded before it is verified, because the new export may already depend on older ones.
            let record = try remember(.unverified, output)
            written = record
            try await verify(output, secret)
            let result: HistoryRecord.Result = output.manifest.isIncomplete ? .incomplete : .done
            try history.replace(record) { $0.result = result }
            tidy(after: record, besides: output.path)
            return output.status
        } catch {
            let status = ErrorMessage(error).status
            // An interrupted export, or one to a drive that is not connected, continues later and has no result yet.
            guard ![.interrupted, .tryLater, .usage].contains(status), !isOutOfRange(error) else {
                throw error
            }
            if let written {
                try? history.replace(written) { record in
                    record.result = .failed
                    record.reason = status.reason
                }
            } else {
                _ = try? remember(.failed, nil, status.reason)
            }
            throw error
        }
    }

    /// Returns whether a schedule requested samples of a period in which the newest export has none.
    private func isOutOfRange(_ error: any Error) -> Bool {
        isScheduled && (error as? VaultError)?.code == .nothingSelected
    }

    /// Returns whether the last successful export is still at the destination.
    func isThere() throws -> Bool {
        let last = try history.all().last { $0.destination == destination.name && $0.hasOutput }
        guard let last, let name = last.path?.name, last.format == format, last.isVerified else {
            return false
        }
        return OutputIdentity.of(location.path / name, isEncrypted: last.isEncrypted) == last.identity
    }

    /// Records that the destination already has everything.
    func recordNothingNew() throws -> ExitStatus {
        _ = try remember(.nothingNew, nil)
        return .done
    }

    /// Checks for a minimum of free space, based on the last export of this kind or on the size of the source.
    private func checkSpace() throws {
        guard let free = try location.freeSpace() else { return }
        let former = try history.all().last { record in
            record.destination == destination.name && record.hasOutput && record.continues == nil
                && record.format == format
        }
        let needed: Int
        if command.destination.incremental, former != nil {
            needed = 1 << 20
        } else if let former {
            needed = former.size + former.size / 16
        } else {
            needed = try SizeEstimate.size(of: command.source, isEncrypted: command.encrypt)
        }
        guard free < needed else { return }
        throw DestinationError(.tooLittleSpace(needed: needed, free: free), destination.name)
    }

    private var format: String {
        command.encrypt
            ? HistoryRecord.encrypted : command.format.formats.map(\.rawValue).joined(separator: ",")
    }

    /// Reads the passphrase of the archive to continue, or of a new one.
    private func passphrase(_ shelf: Shelf) throws -> HeldPassphrase {
        if command.destination.incremental, let archive = shelf.newestArchive {
            return HeldPassphrase(try command.run.passphrase.given.read(prompt: "Passphrase of \(archive): "))
        }
        return HeldPassphrase(
            try command.run.passphrase.read(
                prompt: "Passphrase for the archive: ", iterations: command.run.iterations))
    }

    private func export(_ shelf: Shelf, _ secret: HeldPassphrase?) async throws -> Output? {
        let day = Days(offsetMinutes: SystemClock.localOffsetMinutes(at: began)).day(of: began)
        let known = try unfinishedIdentities
        let target = shelf.target(isEncrypted: command.encrypt, day: day) { known.contains($0) }
        if command.destination.incremental, let archive = shelf.newestArchive, let secret,
            try await isWhole(archive, secret)
        {
            switch try await increment(archive, secret) {
            case .nothingNew:
                try reportNothingNew(archive)
                return nil
            case .written(let written): return try report(written)
            case .needsFull(let reason):
                if !command.run.quiet { Console.log(IncrementText.describe(reason)) }
                // A new export of the source alone would lack data that only earlier exports had.
                if reason.allowsComparison, !command.destination.mirror {
                    return try report(try await fullExport(to: target, after: archive, secret))
                }
            }
        }
        if command.isConversion { return try await convert(to: target, secret) }
        do { return try await exportAll(to: target, secret, .begin) } catch let error as VaultError {
            // The unfinished output belongs to another export.
            guard case .notResumable(let reason) = error.code, reason.code == .otherSession else {
                throw error
            }
            return try await exportAll(to: target, secret, .restart)
        }
    }

    /// Returns whether an archive may be continued, because it was verified earlier or is found intact now.
    ///
    /// A damaged archive is not continued, and does not count as an existing export.
    private func isWhole(_ archive: BytePath, _ secret: HeldPassphrase) async throws -> Bool {
        let identity = OutputIdentity.of(archive, isEncrypted: true)
        let records = try history.all().filter { $0.destination == destination.name }
        if records.last?.result != .failed,
            records.last(where: { $0.identity == identity })?.isVerified == true
        {
            return true
        }
        var isWhole = false
        do {
            isWhole = try await verification(of: archive, secret).isFlawless
        } catch {
            guard ErrorMessage(error).status == .damaged else { throw error }
        }
        if !isWhole { Console.log("\(archive) is damaged or incomplete: writing a full archive") }
        return isWhole
    }

    private func exporter(to target: BytePath) throws -> (exporter: Exporter, display: ProgressDisplay) {
        var exporter = Exporter(source: command.source, target: target)
        exporter.jobs = command.run.jobs
        exporter.restarts = command.restart
        exporter.tool = ToolVersion.text
        exporter.volumes = command.run.volumes
        exporter.isInterrupted = Interruption.isRequested
        let display = ProgressDisplay(command.run.progress, quiet: command.run.quiet)
        exporter.progress = display.handler
        Interruption.keepOutput(of: target, isEncrypted: true)
        try Folder.makeAll(stateFolder)
        return (exporter, display)
    }

    private func increment(_ archive: BytePath, _ secret: HeldPassphrase) async throws -> Increment {
        let (exporter, display) = try exporter(to: FurtherName.next(after: archive))
        defer { display.finish() }
        return try await exporter.exportIncrement(
            continuing: archive, passphrase: try secret.copy(), iterations: command.run.iterations,
            spoolingIn: stateFolder, mirroring: command.destination.mirror
        ) { sign in
            display.finish()
            return IncrementText.confirm(sign)
        }
    }

    private func fullExport(
        to target: BytePath, after archive: BytePath, _ secret: HeldPassphrase
    ) async throws -> Increment.Written {
        let (exporter, display) = try exporter(to: target)
        defer { display.finish() }
        return try await exporter.exportFull(
            after: archive, passphrase: try secret.copy(), iterations: command.run.iterations,
            spoolingIn: stateFolder
        ) { sign in
            display.finish()
            return IncrementText.confirm(sign)
        }
    }

    private func reportNothingNew(_ archive: BytePath) throws {
        if command.run.json {
            try Console.print(json: IncrementReport.nothingNew(archive))
        } else if !command.run.quiet {
            Console.log("nothing new: \(archive) already has everything")
        }
    }

    private func report(_ written: Increment.Written) throws -> Output {
        let target = written.target
        let report = IncrementReport(written: written, source: command.source)
        if command.run.json {
            try Console.print(json: report.json)
        } else {
            for line in command.run.quiet ? report.lacking : report.lines { Console.log(line) }
        }
        let manifest = written.summary.manifest
        return Output(
            path: target, manifest: manifest, size: written.summary.targetSize,
            continues: written.continues.first, status: manifest.isIncomplete ? .incomplete : .done)
    }

    private func exportAll(
        to target: BytePath, _ secret: HeldPassphrase?, _ request: ExportRequest
    ) async throws -> Output? {
        var record = ExportRecord(
            identifier: ExportRecord.automaticIdentifier(forTarget: target),
            source: Folder.absolute(command.source), target: target, isEncrypted: command.encrypt,
            batching: command.batch, created: began)
        record.isNamed = false
        var export = AttendedExport(record, command.restart ? .restart : request, options: command.run)
        export.source = command.source
        export.secret = secret
        let (status, finished) = try await export.perform()
        guard let finished else { return nil }
        return Output(
            path: finished.output, manifest: finished.summary.manifest, size: finished.summary.targetSize,
            status: status)
    }

    private func convert(to target: BytePath, _ secret: HeldPassphrase?) async throws -> Output {
        var converter = try command.converter(target)
        converter.makesFolder = true
        converter.source = try command.openSource()
        let conversion = AttendedConversion(
            converter: converter, progress: command.run.progress, quiet: command.run.quiet,
            json: command.run.json)
        let (status, summary) =
            if let secret {
                try await conversion.encryptArchive(try secret.copy(), iterations: command.run.iterations)
            } else { try await conversion.perform() }
        return Output(path: target, manifest: summary.manifest, size: summary.size, status: status)
    }

    /// Reads the export back once more, and checks everything in it.
    private func verify(_ output: Output, _ secret: HeldPassphrase?) async throws {
        let report = try await verification(of: output.path, secret)
        guard report.isFlawless else {
            VerificationText(report: report, archive: output.path).show(quiet: true)
            throw VaultError(.manifestMismatch, path: output.path)
        }
        if !command.run.quiet, !command.run.json { Console.log("verified: \(output.path)") }
    }

    private func verification(
        of path: BytePath, _ secret: HeldPassphrase?
    ) async throws -> VerificationReport {
        var verifier = Verifier(archive: path)
        verifier.jobs = command.run.jobs
        verifier.isInterrupted = Interruption.isRequested
        let display = ProgressDisplay(command.run.progress, quiet: command.run.quiet)
        defer { display.finish() }
        verifier.progress = display.handler
        guard let secret else { return try await verifier.verifyFolder() }
        let passphrase = try secret.copy()
        return try await verifier.verifyContainer(passphrase: passphrase)
    }

    private func remember(
        _ result: HistoryRecord.Result, _ output: Output?, _ reason: String? = nil
    ) throws -> HistoryRecord {
        var record = HistoryRecord(
            began: began, seconds: SystemClock.uptime() - start, destination: destination.name,
            format: format, result: result)
        record.isScheduled = isScheduled
        record.reason = reason
        if let output {
            record.path = output.path
            record.identity = OutputIdentity.of(output.path, isEncrypted: command.encrypt)
            record.continues = output.continues.flatMap { OutputIdentity.of($0, isEncrypted: true) }
            record.samples = output.manifest.sampleCount
            record.size = output.size
            record.isPart = output.manifest.selection != nil
        }
        try history.add(record)
        return record
    }

    /// Removes the remains of interrupted exports, and exports beyond the number to keep.
    ///
    /// A failure here does not affect the result of the export.
    private func tidy(after record: HistoryRecord, besides path: BytePath) {
        do {
            try removeUnfinished(besides: path)
            guard let count = command.destination.keep else { return }
            let outcome = try Pruning(history, after: record, in: location.path).keep(count)
            if !command.run.quiet { for path in outcome.removed { Console.log("removed: \(path)") } }
            for (path, error) in outcome.failed {
                Console.log("warning: not removed: \(path): \(ErrorMessage(error).message)")
            }
        } catch {
            Console.log("warning: older exports were not removed: \(ErrorMessage(error).message)")
        }
    }

    /// The identities of unfinished exports that this computer started.
    private var unfinishedIdentities: Set<String> {
        get throws {
            Set(try command.run.stateFolder.records().all().compactMap(\.record.unfinishedIdentity))
        }
    }

    private func removeUnfinished(besides path: BytePath) throws {
        let known = try unfinishedIdentities
        for left in try Shelf(location.path).abandoned(besides: path, { known.contains($0) }) {
            let isRemoved = try? UnfinishedOutput.remove(
                ofTarget: left.path, isEncrypted: left.isEncrypted, identity: left.identity)
            if isRemoved == true, !command.run.quiet {
                Console.log("removed the unfinished \(left.path)")
            }
        }
    }
}

extension Increment.Reason {
    /// Whether the newest archive can be compared with an export.
    fileprivate var allowsComparison: Bool { self == .longChain || self == .mostChanged }
}
