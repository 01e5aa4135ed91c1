import AppleHealthExport
import ArchiveWriting
public import HealthArchive
public import HealthFHIR
public import HealthFormats
public import HealthModel
public import SampleBatches
public import SystemIO

/// Converts an export of the Health app, an archive or a plain folder, or a part of it, to other formats.
///
/// ```swift
/// let archive = try ConversionSource(container: "health.hvault", key: .passphrase(passphrase))
/// let summary = try await Converter(archive, target: "health.db", formats: [.sqlite]).convert()
/// ```
public struct Converter: Sendable {
    /// The source.
    public var source: ConversionSource
    /// The file or folder to create.
    public var target: BytePath
    /// The formats, without duplicates; if there is only one and it is a file, `target` is that file.
    public var formats: [ExportFormat]
    /// How samples are written as FHIR.
    public var fhir = FHIROptions()
    /// The units of values in tables and databases, CSV and SQLite; nil for those of the source, which all other formats have.
    public var units: MeasurementSystem?
    /// Whether a single file is put into a folder, with its manifest and the list of digests.
    public var makesFolder = false
    /// The samples to write; nil for everything.
    public var selection: SampleSelection?
    /// The rule for putting the samples of an export of the Health app into batches.
    public var batching = BatchOptions(span: .byLength)
    /// Whether to replace an existing target once the new one is complete.
    public var replacing = false
    /// Whether to convert everything that can be read from a damaged source.
    ///
    /// The result never replaces an existing target.
    public var acceptsDamage = false
    /// Whether to leave out of an archive what only earlier exports had.
    public var mirroring = false
    /// The secret for a copy that does not name its person; nil for everything as it is.
    public var pseudonyms: Pseudonyms?
    /// How the conversion runs.
    public var settings = RunSettings()

    /// Creates a converter.
    public init(_ source: ConversionSource, target: BytePath, formats: [ExportFormat]) {
        self.source = source
        self.target = target.withoutTrailingSlashes
        self.formats = formats
    }

    /// Returns whether an export of a source is a conversion: it reads an archive or plain folder, writes other formats
    /// than an archive or NDJSON, or writes only a part of the samples.
    public static func isNeeded(
        for source: BytePath, formats: [ExportFormat], selection: SampleSelection?
    ) -> Bool {
        selection != nil || formats != [.ndjson]
            || Inspector.kind(of: (try? ArchiveFolder.resolved(source)) ?? source) != .source
    }

    /// The result of a conversion.
    public struct Summary: Sendable {
        /// The manifest of the output.
        public let manifest: Manifest
        /// The formats, with their losses; empty for an archive.
        public let formats: [Manifest.Format]
        /// The identifiers of requested types that have no samples in the source.
        public let absentTypes: [String]
        /// The number of files written.
        public let files: Int
        /// Their total size, in bytes.
        public let size: Int
        /// The duration of the conversion, in seconds.
        public let seconds: Double
        /// The folder that was replaced, if it could not be removed; nil otherwise.
        public let leftBehind: BytePath?
        /// What a copy that does not name its person lacks of the source; nil for any other output.
        public let leftOut: LeftOut?
    }

    /// What a copy that does not name its person lacks of its source.
    public struct LeftOut: Sendable, Equatable {
        /// The number of elements of the document.
        public let elements: Int
        /// The number of side files.
        public let files: Int
    }

    /// The format and name of the output, if it is a single file.
    private var single: (format: ExportFormat, name: BytePath)? {
        guard !makesFolder, formats.count == 1, let name = formats[0].fileName else { return nil }
        return (formats[0], formats[0] == .appleXML && !isZip ? "export.xml" : name)
    }

    /// Whether Apple's format is zipped with its side files; a target that ends in `.xml` is a plain document.
    private var isZip: Bool { !target.withoutTrailingSlashes.hasExtension(".xml") }

    /// Whether the target is a file and not a folder.
    public var makesFile: Bool { single != nil }

    /// Checks whether the target can be created; call it before asking for a passphrase.
    ///
    /// - Throws: `VaultError`.
    public func check() throws(VaultError) {
        do {
            if acceptsDamage, replacing { throw VaultError(.targetExists, path: target) }
            try Exporter(source: source.path, target: target).checkSeparation()
            if let single {
                try Target.check(target, replaceable(single.format), replacing: replacing)
            } else {
                try Target.check(folder: target, replacing: replacing)
            }
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    private func replaceable(_ format: ExportFormat) -> ReplaceableFile {
        switch format {
        case .ndjson, .csv, .fhir: .none
        case .json: .json
        case .sqlite: .database
        case .appleXML: isZip ? .zip : .none
        }
    }

    /// Writes the formats; the target appears at its path once it is complete.
    ///
    /// - Throws: `VaultError`, `nothingSelected` if the selection contains no samples; nothing new is then left at
    ///   the target's path.
    public func convert() async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        try check()
        try checkSource()
        do {
            let output =
                if let single {
                    try FormatOutput(file: target, replaceable(single.format), replacing: replacing)
                } else {
                    try FormatOutput(folder: target, replacing: replacing)
                }
            do {
                let (written, absentTypes, leftOut) = try await write(to: output)
                settings.progress(VaultProgress(.syncing))
                if single == nil {
                    try settings.announce(
                        target, isEncrypted: false, written.manifest, written.manifestText)
                }
                try output.finish(manifest: written.manifestText, single?.name)
                return Summary(
                    manifest: written.manifest, formats: written.formats, absentTypes: absentTypes,
                    files: output.fileCount, size: output.size, seconds: SystemClock.uptime() - start,
                    leftBehind: output.leftBehind, leftOut: leftOut)
            } catch {
                output.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, reading: source.path, writing: target) }
    }

    /// Writes the files.
    ///
    /// The spool is closed at the end, because some file systems cannot remove a folder while a file that was removed
    /// from it is still open.
    private func write(
        to output: FormatOutput
    ) async throws -> (written: ConversionRun.Written, absentTypes: [String], leftOut: LeftOut?) {
        let source = try await prepared(in: output.folder)
        var run = try ConversionRun(source.converter, source.export, output, single?.name)
        let written = try await run.convert()
        return (written, source.absentTypes + run.absentTypes, source.leftOut)
    }

    /// Checks that the target is none of the archives that the source consists of.
    func checkSource() throws(VaultError) {
        guard let there = try? FileStatus(at: target) else { return }
        for path in source.archives where (try? FileStatus(at: path))?.isSameFile(as: there) == true {
            throw VaultError(.targetIsSource, path: target)
        }
    }

    /// The source as batches that can be read in any order, and how to convert them.
    struct Prepared {
        let export: StoredExport
        let converter: Converter
        var absentTypes: [String] = []
        var leftOut: LeftOut?
    }

    /// Prepares the source: spools an export of the Health app, and what stays of a source in a copy that does not name its
    /// person.
    func prepared(in folder: OpenFolder) async throws -> Prepared {
        let export = try await stored(in: folder)
        guard let pseudonyms else { return Prepared(export: export, converter: self) }
        var copy = try PseudonymisedExport(self, export, pseudonyms)
        let spooled = try await copy.spooled(in: folder)
        var converter = self
        // The copy has only what was selected, at other times, and nothing of earlier exports.
        converter.selection = nil
        converter.mirroring = true
        return Prepared(
            export: spooled, converter: converter, absentTypes: copy.absentTypes,
            leftOut: LeftOut(elements: copy.leftOut, files: export.manifest.files.count))
    }

    private func stored(in folder: OpenFolder) async throws -> StoredExport {
        if case .stored(let export) = source.kind { return export }
        DebugLog.log("spooling the source, whose batches are read in another order")
        var exporter = Exporter(source: source.path, target: target)
        exporter.batching = batching
        exporter.acceptsDamage = acceptsDamage
        exporter.settings = settings
        return try await exporter.spool(in: folder)
    }
}

extension Exporter {
    /// Exports to a spool in a folder.
    func spool(in folder: OpenFolder) async throws -> StoredExport {
        let input = try ExportInput(try openSource(), batching)
        let spool = try Spool(in: folder)
        var run = ExportRun(exporter: self, input: input, destination: spool)
        let manifest = try await run.export()
        let json = manifest.json
        guard manifest.canBeStored(as: json) else { throw VaultError(.manifestTooLarge, path: target) }
        try spool.finish(manifest: json)
        return try spool.finished(source)
    }
}
