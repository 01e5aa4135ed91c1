import CommandLineKit
import CommandOutput
import HealthVault
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// Runs an export to a destination: finds the drive, chooses a name, exports, verifies, remembers, and removes what is
/// surplus.
struct DestinationExport {
    private let command: ExportCommand
    private let destination: Destination
    private let location: DestinationLocation
    private let history: History
    private let stateFolder: BytePath
    /// Whether a schedule asked for it.
    var isScheduled = false
    private let began = SystemClock.now()
    private let start = SystemClock.uptime()

    /// Finds the destination.
    ///
    /// - Throws: `DestinationError` if it is not there.
    init(_ command: ExportCommand, _ name: String) throws {
        self.command = command
        let state = try command.run.stateFolder.required()
        stateFolder = state.path
        history = History(inState: state.path)
        destination = try command.destination.configuration.destinations.destination(name)
        location = try destination.locate()
    }

    /// What an export has made.
    private struct Output {
        let path: BytePath
        let manifest: Manifest
        let size: Int
        var continues: BytePath?
        let status: ExitStatus
    }

    func run() async throws -> ExitStatus {
        do {
            try checkSpace()
            let shelf = try Shelf(location.path)
            let secret = command.encrypt ? try passphrase(shelf) : nil
            guard let output = try await export(shelf, secret) else {
                try remember(.nothingNew, nil)
                return .done
            }
            try await verify(output, secret)
            try remember(output.manifest.isIncomplete ? .incomplete : .done, output)
            try tidy(besides: output.path)
            return output.status
        } catch {
            // What is interrupted or not connected goes on later; it is no result.
            let message = ErrorMessage(error)
            if ![.interrupted, .tryLater, .usage].contains(message.status) {
                try? remember(.failed, nil, message.message.text)
            }
            throw error
        }
    }

    /// Returns whether the last export that succeeded is still at the destination.
    func isThere() throws -> Bool {
        let last = try history.all().last { $0.destination == destination.name && $0.hasOutput }
        guard let last, let name = last.path?.name, last.format == format else { return false }
        return OutputIdentity.of(location.path / name, isEncrypted: last.isEncrypted) == last.identity
    }

    /// Records that the destination has everything already.
    func recordNothingNew() throws -> ExitStatus {
        try remember(.nothingNew, nil)
        return .done
    }

    /// Checks that there is some room: as much as the last export of this kind took, or a part of the source's size.
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

    /// Reads the passphrase of the archive that is continued, or of a new one.
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
        if command.destination.incremental, let archive = shelf.newestArchive, let secret {
            switch try await increment(archive, secret) {
            case .nothingNew:
                if !command.run.quiet { Console.log("nothing new: \(archive) has everything already") }
                return nil
            case .written(let written):
                return try report(written)
            case .needsFull(let reason):
                if !command.run.quiet { Console.log(IncrementText.describe(reason)) }
            }
        }
        let target = shelf.target(isEncrypted: command.encrypt, day: day)
        if command.isConversion { return try await convert(to: target, secret) }
        do { return try await exportAll(to: target, secret, .begin) } catch let error as VaultError {
            // What is unfinished was begun with another export.
            guard case .notResumable(let reason) = error.code, reason.code == .otherSession else {
                throw error
            }
            return try await exportAll(to: target, secret, .restart)
        }
    }

    private func increment(_ archive: BytePath, _ secret: HeldPassphrase) async throws -> Increment {
        let target = FurtherName.next(after: archive)
        var exporter = Exporter(source: command.source, target: target)
        exporter.jobs = command.run.jobs
        exporter.restarts = command.restart
        exporter.tool = ToolVersion.text
        exporter.volumes = command.run.volumes
        exporter.isInterrupted = Interruption.isRequested
        let display = ProgressDisplay(command.run.progress, quiet: command.run.quiet)
        exporter.progress = display.handler
        CurrentProcess.catchInterruption(saying: "stopping. Once more to stop at once")
        try Folder.makeAll(stateFolder)
        let increment = try await exporter.exportIncrement(
            continuing: archive, passphrase: try secret.copy(), iterations: command.run.iterations,
            spoolingIn: stateFolder, mirroring: command.destination.mirror
        ) { sign in
            display.finish()
            return IncrementText.confirm(sign)
        }
        display.finish()
        return increment
    }

    private func report(_ written: Increment.Written) throws -> Output {
        let target = written.target
        let report = IncrementReport(written: written)
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
        var verifier = Verifier(archive: output.path)
        verifier.jobs = command.run.jobs
        let display = ProgressDisplay(command.run.progress, quiet: command.run.quiet)
        verifier.progress = display.handler
        let report: VerificationReport
        if let secret {
            let passphrase = try secret.copy()
            report = try await verifier.verifyContainer(passphrase: passphrase)
        } else {
            report = try await verifier.verifyFolder()
        }
        display.finish()
        guard report.isClean, report.blockingWarnings.isEmpty else {
            VerificationText(report: report, archive: output.path).show(quiet: true)
            throw VaultError(.manifestMismatch, path: output.path)
        }
        if !command.run.quiet, !command.run.json { Console.log("verified: \(output.path)") }
    }

    private func remember(
        _ result: HistoryRecord.Result, _ output: Output?, _ reason: String? = nil
    ) throws {
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
        }
        try history.add(record)
    }

    /// Removes what interrupted exports have left, and exports beyond those that are to be kept.
    private func tidy(besides path: BytePath) throws {
        for left in try Shelf(location.path).abandoned(besides: path) {
            let identity = UnfinishedOutput.identity(ofTarget: left.path, isEncrypted: left.isEncrypted)
            let isRemoved = try? UnfinishedOutput.remove(
                ofTarget: left.path, isEncrypted: left.isEncrypted, identity: identity)
            if isRemoved == true, !command.run.quiet {
                Console.log("removed what was unfinished of \(left.path)")
            }
        }
        guard let count = command.destination.keep else { return }
        let pruning = Pruning(history, destination: destination.name, folder: location.path)
        for path in try pruning.keep(count) where !command.run.quiet { Console.log("removed: \(path)") }
    }
}
