import AppleHealthExport
import ArchiveWriting
import ByteText
import HealthArchive
import HealthExport
import HealthFormats
public import SystemIO
import VaultContainer
import VaultCrypto

/// An export to a destination: finds the drive, chooses a name, exports, verifies, records the result, and removes
/// surplus exports.
///
/// ```swift
/// let export = try DriveExport(
///     of: "/inbox/export.zip", to: destinations.destination("stick"), options: DriveExportOptions(),
///     state: stateFolder, attendant: attendant)
/// let outcome = try await export.run()
/// ```
public struct DriveExport: Sendable {
    let source: BytePath
    let options: DriveExportOptions
    let destination: Destination
    let location: DestinationLocation
    let history: History
    let attendant: any DriveExportAttendant
    let records: ExportRecords
    let unfinished: UnfinishedExports
    /// The record of the output that is about to get its name.
    let intent = Intent()
    private let stateFolder: BytePath
    private let space = SpaceWatch()
    let began = SystemClock.now()
    let start = SystemClock.uptime()

    /// How an export ended.
    public enum Outcome: Sendable {
        /// The destination already has everything.
        case nothingNew
        /// An export was written and verified.
        case written(Output)
    }

    /// What an export wrote.
    public struct Output: Sendable {
        /// The archive, folder or file.
        public let path: BytePath
        /// The size in bytes.
        public let size: Int
        /// Whether anything of the source is missing, because it is damaged or could not be written.
        public let isIncomplete: Bool
        let manifest: Manifest
        var continues: BytePath?
    }

    /// Finds the destination.
    ///
    /// - Parameters:
    ///   - source: The export, archive or folder to export.
    ///   - destination: Where to export to.
    ///   - options: What to export, and how.
    ///   - state: The folder with the history and the records of unfinished exports.
    ///   - attendant: Answers questions, and is told what happens.
    /// - Throws: `DestinationError` if the destination cannot be found.
    public init(
        of source: BytePath, to destination: Destination, options: DriveExportOptions, state: StateFolder,
        attendant: any DriveExportAttendant
    ) throws {
        self.source = source
        self.destination = destination
        self.options = options
        self.attendant = attendant
        stateFolder = state.path
        history = History(inState: state.path)
        records = ExportRecords(state)
        unfinished = UnfinishedExports(inState: state.path)
        location = try destination.locate()
    }

    /// Exports, verifies and records.
    ///
    /// A failure is recorded as well, unless the export was only interrupted or its drive is not connected.
    public func run() async throws -> Outcome {
        do {
            let claim = try location.claim()
            defer { withExtendedLifetime(claim) {} }
            DebugLog.log("destination \(destination.name) is at \(location.path)")
            let shelf = try Shelf(location.path)
            // What an interrupted run left of an export of another day is not continued, and takes up space.
            let target = isConversion ? nil : try? target(on: shelf).path
            if let target { try? removeUnfinished(besides: target) }
            try checkSpace(continuing: target)
            let (output, secret) = try await attendant.retrying {
                let secret = options.isEncrypted ? try passphrase(shelf) : nil
                return (try await export(shelf, secret, claim), secret)
            }
            guard let output else {
                try recordNothingNew()
                return .nothingNew
            }
            try complete(output)
            try await verify(output, secret)
            let record = try conclude(output.manifest.isIncomplete ? .incomplete : .done)
            tidy(after: record, besides: output.path, secret, claim)
            return .written(output)
        } catch {
            let error = intent.failure ?? shortage ?? error
            let kind = ErrorKind(error)
            // What is only interrupted, or waits for its drive, continues later and has no result yet.
            guard ![.interrupted, .tryLater, .usage].contains(kind), !isOutOfRange(error) else { throw error }
            if intent.record == nil {
                _ = try? history.add(newRecord(.failed, kind.reason))
            } else {
                _ = try? conclude(.failed, kind.reason)
            }
            throw error
        }
    }

    /// Returns whether the last successful export is still at the destination in this form, with all that it continues.
    public func isThere() throws -> Bool {
        let records = try history.all().filter { $0.destination == destination.name }
        let last = records.last { $0.hasOutput }
        guard let last, let name = last.path?.name, last.format == options.formatName,
            last.units == options.recordedUnits, last.isVerified
        else { return false }
        let path = location.path / name
        return last.isWhole(at: path) && (!last.isEncrypted || isChainVerified(path, in: records))
    }

    /// Records that the destination already has everything.
    public func recordNothingNew() throws { _ = try history.add(newRecord(.nothingNew)) }

    /// Returns whether a schedule requested samples of a period in which the newest export has none.
    private func isOutOfRange(_ error: any Error) -> Bool {
        options.isScheduled && (error as? VaultError)?.code == .nothingSelected
    }

    /// The exports at the destination, according to the history.
    private func formerExports() throws -> [HistoryRecord] {
        try history.all().filter { $0.destination == destination.name && $0.hasOutput }
    }

    /// Checks for a minimum of free space, based on the last export of this kind or on the size of the source.
    ///
    /// - Parameter target: The path of an export that may have been begun; nil if none is continued.
    private func checkSpace(continuing target: BytePath?) throws {
        guard let free = try location.freeSpace() else { return }
        let exports = try formerExports()
        let former = exports.last { record in
            record.continues == nil && record.format == options.formatName && record.size > 0
        }
        let needed: Int
        if options.isIncremental, former != nil {
            needed = 1 << 20
        } else if let former {
            // A later export is seldom smaller.
            needed = former.size - former.size / 8
        } else {
            needed = SizeEstimate.size(of: source, isEncrypted: options.isEncrypted)
        }
        let begun = target.flatMap {
            let unfinished = UnfinishedOutput.path(forTarget: $0, isEncrypted: options.isEncrypted)
            return OutputSize.of(unfinished, isEncrypted: options.isEncrypted)
        }
        guard free + (begun ?? 0) < needed else { return }
        throw tooLittleSpace(needed, free, exports)
    }

    private func tooLittleSpace(_ needed: Int, _ free: Int, _ exports: [HistoryRecord]) -> DestinationError {
        let hasExports = exports.contains { record in
            guard let name = record.path?.name else { return false }
            return record.isWhole(at: location.path / name)
        }
        return DestinationError(
            .tooLittleSpace(needed: needed, free: free, hasExports: hasExports), destination.name)
    }

    /// The error if writing was stopped because the rest would not fit.
    private var shortage: DestinationError? {
        space.shortage.map { tooLittleSpace($0.needed, $0.free, (try? formerExports()) ?? []) }
    }

    /// Asks for the passphrase of the archive to continue, or of a new one.
    private func passphrase(_ shelf: Shelf) throws -> HeldPassphrase {
        HeldPassphrase(
            try attendant.passphrase(continuing: options.isIncremental ? shelf.newestArchive : nil))
    }

    private func export(
        _ shelf: Shelf, _ secret: HeldPassphrase?, _ claim: DestinationClaim
    ) async throws -> Output? {
        if isConversion { return try await convert(shelf, secret, claim) }
        let (target, day) = try target(on: shelf)
        if options.isIncremental, let secret, let archive = try newestArchive(shelf, secret),
            try await isWhole(archive, secret)
        {
            let known = try unfinishedIdentities
            let further = shelf.next(after: archive, day: day) { known.contains($0) }
            switch try await increment(archive, to: further, secret, claim) {
            case .nothingNew:
                try attendant.report(.nothingNew(archive))
                return nil
            case .written(let written): return try report(written, after: archive)
            case .needsFull(.olderExport):
                guard attendant.agree(to: .olderExport(archive)) else {
                    throw IncrementError(.older(""), path: source)
                }
                try attendant.report(.needsFull(.olderExport))
            case .needsFull(let reason):
                try attendant.report(.needsFull(reason))
                // A new export of the source alone would lack data that only earlier exports had.
                if reason.allowsComparison, !options.isMirror {
                    return try report(
                        try await fullExport(to: target, after: archive, secret, claim), after: archive)
                }
            }
        }
        do { return try await exportAll(to: target, secret, .begin, claim) } catch let error as VaultError {
            // The unfinished output belongs to another export.
            guard case .notResumable(let reason) = error.code, reason.code == .otherSession else {
                throw error
            }
            return try await exportAll(to: target, secret, .restart, claim)
        }
    }

    /// Returns the path for the export of the source, which may be that of an unfinished one, and its day.
    private func target(on shelf: Shelf) throws -> (path: BytePath, day: CivilDate) {
        let day = day(of: try Exporter(source: source, target: "").exportDate())
        if let name = options.continuing { return (location.path / name, day) }
        let known = try unfinishedIdentities
        return (shelf.target(isEncrypted: options.isEncrypted, day: day) { known.contains($0) }, day)
    }

    /// Returns the day for the name of an export: that of the export itself or, if it is not known, of this run.
    private func day(of exported: Timestamp?) -> CivilDate {
        exported?.day ?? Days(offsetMinutes: SystemClock.localOffsetMinutes(at: began)).day(of: began)
    }

    /// The settings of each step, which the attendant can stop, and a shortage of space does.
    private var settings: RunSettings {
        var settings = options.settings
        let isInterrupted = attendant.isInterrupted
        settings.isInterrupted = { [space] in isInterrupted() || space.shortage != nil }
        // A full drive is given back: what lies on it may never be continued, and everybody can read it.
        settings.isKeptWhenFull = false
        return settings
    }

    private func exporter(
        to target: BytePath, _ claim: DestinationClaim, continuing archive: BytePath? = nil
    ) throws -> Exporter {
        var exporter = Exporter(source: source, target: target)
        exporter.restarts = options.restarts
        exporter.settings = settings
        exporter.settings.progress = space.watching(
            location, for: target, then: attendant.showProgress(of: .export(target)))
        exporter.settings.finishing = announcement(of: target, continuing: archive, claim)
        exporter.began = { [unfinished] identity in try unfinished.add(identity, target) }
        try Folder.makeAll(stateFolder)
        return exporter
    }

    private func increment(
        _ archive: BytePath, to target: BytePath, _ secret: HeldPassphrase,
        _ claim: DestinationClaim
    ) async throws -> Increment {
        let exporter = try exporter(to: target, claim, continuing: archive)
        return try await exporter.exportIncrement(
            continuing: archive, passphrase: try secret.copy(), spoolingIn: stateFolder,
            mirroring: options.isMirror, accepting: confirmation)
    }

    private func fullExport(
        to target: BytePath, after archive: BytePath, _ secret: HeldPassphrase,
        _ claim: DestinationClaim
    ) async throws -> Increment.Written {
        let exporter = try exporter(to: target, claim)
        return try await exporter.exportFull(
            after: archive, passphrase: try secret.copy(), spoolingIn: stateFolder, accepting: confirmation)
    }

    /// Asks about an export that seems to be another person's.
    private var confirmation: @Sendable (ForeignSign) -> Bool {
        { [attendant] sign in attendant.agree(to: .foreignExport(sign)) }
    }

    private func report(_ written: Increment.Written, after archive: BytePath) throws -> Output {
        try attendant.report(.incremented(written))
        let passphrases = (try? CleartextHeader(of: archive))?.slots.count ?? 1
        if passphrases > 1 {
            try attendant.report(.fewerPassphrases(written.target, than: archive, passphrases))
        }
        let manifest = written.summary.manifest
        return Output(
            path: written.target, size: written.summary.targetSize, isIncomplete: manifest.isIncomplete,
            manifest: manifest, continues: written.continues.first)
    }

    private func exportAll(
        to target: BytePath, _ secret: HeldPassphrase?, _ request: ExportRequest,
        _ claim: DestinationClaim
    ) async throws -> Output? {
        var record = ExportRecord(
            identifier: ExportRecord.automaticIdentifier(forTarget: target),
            source: Folder.absolute(source), target: target, isEncrypted: options.isEncrypted,
            batching: options.batching, created: began)
        record.isNamed = false
        (record.destination, record.kept) = (destination.name, options.kept)
        var export = RecordedExport(record, options.restarts ? .restart : request, in: records) { _ in
            guard let secret else { throw VaultError(.container(ContainerError(.invalidUse))) }
            return try secret.copy()
        }
        export.source = source
        export.settings = settings
        export.settings.finishing = announcement(of: target, claim)
        let handler = attendant.showProgress(of: .export(target))
        export.settings.progress =
            options.isEncrypted ? space.watching(location, for: target, then: handler) : handler
        let outcome = try await export.run()
        try attendant.report(.exported(outcome, record))
        guard case .exported(let finished) = outcome else { return nil }
        let manifest = finished.summary.manifest
        return Output(
            path: finished.output, size: finished.summary.targetSize, isIncomplete: manifest.isIncomplete,
            manifest: manifest)
    }

    /// Whether the export reads an archive or folder, writes other formats, or writes only part of the samples.
    private var isConversion: Bool {
        Converter.isNeeded(for: source, formats: options.formats, selection: options.selection)
    }

    private func convert(
        _ shelf: Shelf, _ secret: HeldPassphrase?, _ claim: DestinationClaim
    ) async throws -> Output {
        let origin = try attendant.openSource()
        let exported = try origin.exported ?? Exporter(source: origin.path, target: "").exportDate()
        let target = shelf.target(isEncrypted: options.isEncrypted, day: day(of: exported)) { _ in false }
        var converter = Converter(origin, target: target, formats: options.formats)
        converter.fhir = options.fhir
        converter.units = options.units
        converter.selection = options.selection
        converter.batching = options.batching
        converter.settings = settings
        converter.settings.finishing = announcement(of: target, claim)
        converter.makesFolder = true
        if options.isEncrypted { try converter.checkContainer() } else { try converter.check() }
        let summary = try await run(&converter, secret)
        try attendant.report(.converted(converter, summary))
        return Output(
            path: target, size: summary.size,
            isIncomplete: summary.manifest.isIncomplete && converter.source.isExport,
            manifest: summary.manifest)
    }

    private func run(_ converter: inout Converter, _ secret: HeldPassphrase?) async throws
        -> Converter.Summary
    {
        converter.settings.progress = attendant.showProgress(of: .conversion(converter.target))
        guard let secret else { return try await converter.convert() }
        return try await converter.encrypt(passphrase: try secret.copy())
    }

    /// The identities of unfinished exports that this computer started, without those that their owner has named to go
    /// on with them.
    var unfinishedIdentities: Set<String> {
        get throws {
            let records = try records.all().map(\.record).filter { !$0.isNamed }
            let identities = records.filter { !$0.isComplete }.compactMap { record in
                // The run may have ended before it could record what it had begun.
                record.unfinishedIdentity
                    ?? UnfinishedOutput.identity(ofTarget: record.output, isEncrypted: record.isEncrypted)
            }
            return Set(identities).union(try unfinished.identities)
        }
    }
}

extension Increment.Reason {
    /// Whether the newest archive can be compared with an export.
    fileprivate var allowsComparison: Bool {
        switch self {
        case .longChain, .mostChanged: true
        case .part, .otherBatching, .olderExport: false
        }
    }
}
