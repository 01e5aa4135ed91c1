import AppleHealthExport
public import ByteText
public import HealthModel
public import SampleBatches
public import SystemIO
public import VaultContainer

/// An operation that reports the contents of a source or an archive.
public struct Inspector: Sendable {
    /// The source or archive.
    public var path: BytePath
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }
    /// Whether to report the facts about the person: date of birth, sex, blood type.
    public var includesProfile = false

    /// Makes an inspector of `path`.
    public init(path: BytePath) { self.path = path }

    /// The kinds of files and folders at a path.
    public enum Kind: Sendable, Equatable {
        /// A container.
        case container
        /// A plain export folder of this program.
        case plainFolder
        /// Anything else: an export of the Health app, or something unknown.
        case source
    }

    /// Returns the kind of file or folder at a path, judging by its contents rather than its name.
    public static func kind(of path: BytePath) -> Kind {
        guard path != "-", let status = try? FileStatus(at: VolumeName.start(of: path)) else {
            return .source
        }
        if status.kind == .folder {
            return (try? FileStatus(at: path / EntryPath.checksums)) != nil ? .plainFolder : .source
        }
        guard let file = try? VolumeFile(opening: path, .read), let size = try? file.size(),
            let start = try? file.bytes(at: 0, count: 8)
        else {
            // The first volume shows what it is, although another one is missing.
            let first = try? FileDescriptor(opening: VolumeName.start(of: path), .read).bytes(at: 0, count: 8)
            return first.map { CleartextHeader.matches($0.span) } == true ? .container : .source
        }
        if CleartextHeader.matches(start.span) { return .container }
        // The header at the start may be damaged; there is another one at the end.
        guard size > 4096, let end = try? file.bytes(at: size - 4096, count: 8) else { return .source }
        return CleartextHeader.matches(end.span) ? .container : .source
    }

    /// The summary of one sample type.
    public struct TypeSummary: Sendable, Equatable {
        /// The element: `Record`, `Workout`, ...
        public var element: String
        /// The sample type; empty for elements without one.
        public var type: String
        /// The number of samples.
        public var count = 0
        /// The earliest start.
        public var first: Timestamp?
        /// The latest start.
        public var last: Timestamp?

        mutating func add(count more: Int, first start: Timestamp?, last end: Timestamp?) {
            count = LengthSum.of(count, more)
            first.lower(to: start)
            last.raise(to: end)
        }

        /// Whether its samples name a day and no time, which is stored as midnight in UTC.
        private var hasDays: Bool { element == "ActivitySummary" }

        /// The earliest start in ISO form, for a day the day; nil without a start.
        package var firstText: String? { first.map { hasDays ? $0.day.description : $0.iso } }
        /// The latest start in ISO form, for a day the day; nil without a start.
        package var lastText: String? { last.map { hasDays ? $0.day.description : $0.iso } }

        /// The same as the extent of a type in a store, which tells days from times.
        fileprivate var extent: TypeExtent {
            TypeExtent(type: hasDays ? .activitySummary : AnySampleType(type), first: first, last: last)
        }

        /// Returns the first and the last day; nil without a start.
        ///
        /// - Parameter days: The rule for days.
        public func days(by days: Days) -> ClosedRange<CivilDate>? { extent.days(by: days) }
    }

    /// The contents of a source or an archive.
    public struct Report: Sendable {
        /// The types, sorted by name.
        public var types: [TypeSummary] = []
        /// Names of the sources of samples, sorted.
        public var sources: [String] = []
        /// Names and lengths of the side files.
        public var files: [(name: BytePath, length: Int)] = []
        /// The names of side files that were damaged in an archive's source.
        public var damagedFiles: [BytePath] = []
        /// The counts of oddities, by name.
        public var warnings: [String: Int] = [:]
        /// The paths of the first hundred side files that the document refers to and that did not come with it.
        public var missingFiles: [BytePath] = []
        /// The counts of elements that Apple's format does not define, by name.
        public var unknownElements: [ExactName: Int] = [:]
        /// The counts of attributes that Apple's format does not define, by name.
        public var unknownAttributes: [ExactName: Int] = [:]
        /// The version of Apple's document type.
        public var documentType: Int?
        /// The export date; empty if it is missing.
        public var exportDate = ""
        /// The locale; empty if it is missing.
        public var locale = ""
        /// The containers that an archive continues, the newest first.
        public var continues: [BytePath] = []
        /// The data that earlier exports had and the newest one no longer has.
        public var gone = Manifest.Gone()
        /// The number of exports that an archive has collected.
        public var exports = 1
        /// The batches that could not be written.
        public var failedBatches: [Manifest.FailedBatch] = []
        /// Whether the source was truncated.
        public var isTruncated = false
        /// Whether it is a copy that does not name its person.
        public var isPseudonymised = false
        /// The bytes of the document that could not be read, in order.
        public var skipped: [Manifest.SkippedRange] = []
        /// The selection from an archive; nil if this is the whole archive.
        public var selection: Manifest.Selection?
        /// The rule for days: those in the zone of the export.
        public var days = Days.utc
        /// The facts about the person that an export states once; nil if they were not requested.
        public var characteristics: Characteristics?

        private var samples: [TypeSummary] { types.filter { Manifest.isSample($0.element) } }

        /// The number of samples.
        public var sampleCount: Int { samples.total(\.count) }
        /// The number of sample types, with each kind of element without types counted as one.
        public var typeCount: Int { samples.count }
    }

    /// Reports the contents of an export of the Health app, which is read completely.
    public func inspectSource() async throws(VaultError) -> Report {
        do {
            let processors = Processors.toReadAhead
            let source = try ExportSource(opening: path)
            var reader = DocumentReader(
                try source.openDocument(), name: source.documentName, sideFiles: source.sidePaths)
            var sink = InspectionSink()
            let size = SourceSize(source)
            while try await reader.advance(into: &sink, readingAheadOn: processors) {
                progress(size.progress(.reading, source.documentName.description, done: reader.bytesRead))
                try VaultError.checkInterruption(of: path)
            }
            var tally = ManifestTally()
            tally.add(reader)
            var report = sink.report()
            report.documentType = reader.documentTypeVersion
            report.files = source.sideFiles.map { ($0.name, $0.size) }
            report.warnings = tally.manifest.warnings
            report.missingFiles = tally.manifest.missingFiles
            report.unknownElements = tally.manifest.unknownElements
            report.unknownAttributes = tally.manifest.unknownAttributes
            if source.filesBeside > 0 { report.warnings["filesBeside"] = source.filesBeside }
            if source.foreignFiles > 0 { report.warnings["foreignFiles"] = source.foreignFiles }
            report.days = try ExportZone.days(
                try sink.zone(), exported: Timestamp(healthApp: Array(report.exportDate.utf8).span))
            if includesProfile { report.characteristics = sink.facts.characteristics }
            return report
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Reports the contents of a container, from its manifest.
    public func inspectContainer(key: ArchiveKey) throws(VaultError) -> Report {
        do {
            return try report(of: try ContainerChain(opening: path, key: key, acceptingDamage: true))
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    private func report(of chain: ContainerChain) throws -> Report {
        var report = try Self.report(try ManifestReader.read(try chain.manifest()))
        // Problems with its batches matter only if one of them is read.
        if includesProfile { report.characteristics = try Self.characteristics(of: StoredExport(chain)) }
        report.continues = chain.links.dropFirst().map(\.path)
        return report
    }

    /// Reports the contents of a plain folder, from its manifest.
    public func inspectFolder() throws(VaultError) -> Report {
        do {
            let manifest = try Manifest(ofFolder: path)
            var report = try Self.report(manifest)
            if includesProfile {
                report.characteristics = try Self.characteristics(of: StoredExport(folder: path))
            }
            return report
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Returns the first and the last day of all samples; nil if none has a start.
    package static func days(of types: [TypeSummary], by days: Days) -> ClosedRange<CivilDate>? {
        let ranges = types.lazy.filter { Manifest.isSample($0.element) }.compactMap { $0.days(by: days) }
        guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else {
            return nil
        }
        return first...last
    }

    /// Returns the earliest and the latest start of all samples in ISO form, for a day the day; nil if none has a start.
    package static func starts(
        of types: [TypeSummary], by days: Days
    ) -> (first: String, last: String)? {
        var first: (instant: Int, text: String)?
        var last: (instant: Int, text: String)?
        for type in types where Manifest.isSample(type.element) {
            guard let starts = type.extent.starts(by: days), let start = type.firstText,
                let end = type.lastText
            else { continue }
            if first.map({ starts.lowerBound < $0.instant }) ?? true { first = (starts.lowerBound, start) }
            if last.map({ starts.upperBound > $0.instant }) ?? true { last = (starts.upperBound, end) }
        }
        guard let first, let last else { return nil }
        return (first.text, last.text)
    }

    /// Returns the counts and extents in a manifest, by element and type.
    package static func summaries(of manifest: Manifest) -> [TypeSummary] {
        var types: [TypeKey: TypeSummary] = [:]
        // The spans of a type are mostly adjacent.
        var last: (key: TypeKey, summary: TypeSummary)?
        for span in manifest.spans {
            let key = TypeKey(element: span.key.element, type: span.key.type)
            if key != last?.key {
                if let last { types[last.key] = last.summary }
                last = (key, types[key] ?? TypeSummary(element: span.key.element, type: span.key.type))
            }
            last?.summary.add(count: span.identity.count, first: span.first, last: span.last)
        }
        if let last { types[last.key] = last.summary }
        return types.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the facts about the person, from the batches of an export that contain them.
    package static func characteristics(of export: StoredExport) throws -> Characteristics {
        var facts: [String: String] = [:]
        try export.forEach(of: export.batches.filter { $0.key.element == "Me" }) { batch in
            for person in batch.samples {
                for name in person.row.attributeNames { facts[name] = facts[name] ?? person[name] }
            }
        }
        return Characteristics(facts)
    }

    static func report(_ manifest: Manifest) throws(SystemError) -> Report {
        var report = Report()
        report.types = summaries(of: manifest)
        report.sources = manifest.sources
        report.files = manifest.files.map { ($0.name, $0.length) }
        report.damagedFiles = manifest.damagedFiles
        report.warnings = manifest.warnings
        report.missingFiles = manifest.missingFiles
        report.unknownElements = manifest.unknownElements
        report.unknownAttributes = manifest.unknownAttributes
        report.documentType = manifest.documentType
        report.exportDate = manifest.exportDate
        report.locale = manifest.locale
        report.gone = manifest.gone
        report.exports = manifest.exports
        report.failedBatches = manifest.failedBatches
        report.isTruncated = manifest.isTruncated
        report.isPseudonymised = manifest.isPseudonymised
        report.skipped = manifest.skipped
        report.selection = manifest.selection
        report.days = try manifest.days()
        return report
    }
}

extension ArchiveFolder {
    /// Returns the newest archive in a folder of archives, or any other path unchanged.
    ///
    /// - Throws: `VaultError.severalArchives` if their names do not show which one is the newest.
    public static func resolved(_ path: BytePath) throws(VaultError) -> BytePath {
        isFolder(path) ? try newest(in: path) ?? path : path
    }

    /// Returns whether a path is that of a folder that may hold archives: it is neither an export of the Health app nor a
    /// plain folder.
    public static func isFolder(_ path: BytePath) -> Bool {
        path != "-" && (try? FileStatus(at: path))?.kind == .folder
            && Inspector.kind(of: path) == .source && (try? ExportSource(opening: path)) == nil
    }
}
