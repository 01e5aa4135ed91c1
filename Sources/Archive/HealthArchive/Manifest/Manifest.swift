public import ByteText
import HealthModel
public import SampleBatches
public import SystemIO

/// The list of an export's contents.
///
/// It depends only on the source and the options, so two exports of the same source have the same manifest.
public struct Manifest: Sendable, Equatable {
    /// The manifest's version.
    static let version = 1

    /// The facts about one batch span.
    public struct Span: Sendable, Equatable {
        /// Element, type and span; the part is 0.
        public var key: SampleBatch.Key
        /// The number of parts.
        public var parts = 0
        /// The numbers of the parts, in order, if some are missing between them; nil if they are 1, 2, 3 and so on.
        public var partNumbers: [Int]?
        /// The count and sum of the identities of all rows.
        public var identity = IdentitySum()
        /// The earliest start.
        public var first: Timestamp?
        /// The latest start.
        public var last: Timestamp?
    }

    /// The selection from an archive; see ``SampleSelection``.
    public struct Selection: Sendable, Equatable {
        /// The identifiers of the requested types, sorted; nil for all.
        public var types: [String]?
        /// The identifiers of the excluded types, sorted.
        public var excludedTypes: [String] = []
        /// The time before which no sample starts; nil for no limit.
        public var since: Timestamp?
        /// The time after which no sample starts; nil for no limit.
        public var until: Timestamp?

        package init(
            types: [String]? = nil, excludedTypes: [String] = [], since: Timestamp? = nil,
            until: Timestamp? = nil
        ) {
            self.types = types
            self.excludedTypes = excludedTypes
            self.since = since
            self.until = until
        }
    }

    /// A format in which the export was written.
    public struct Format: Sendable, Equatable {
        /// The format, as `ExportFormat` spells it.
        public var format: String
        /// The kinds of data that it does not keep, with their counts.
        public var notKept: [String: Int] = [:]
        /// The kinds of data that it keeps as text where a number or a time is expected, with their counts.
        public var asText: [String: Int] = [:]
        /// The measurement system of its values, as `MeasurementSystem` spells it; nil for the units of the source.
        public var units: String?

        package init(_ format: String) { self.format = format }
    }

    /// A file that is stored byte for byte.
    public struct File: Sendable, Equatable {
        /// Its name in the source.
        public var name: BytePath
        /// Its path in the export.
        public var path: BytePath
        /// Its length in bytes.
        public var length: Int
        /// Its CRC-32.
        public var crc32: UInt32
        /// Whether it was damaged in the source: length and CRC-32 are then those of its readable part.
        public var isDamaged = false

        package init(name: BytePath, path: BytePath, length: Int, crc32: UInt32, isDamaged: Bool = false) {
            self.name = name
            self.path = path
            self.length = length
            self.crc32 = crc32
            self.isDamaged = isDamaged
        }
    }

    /// A batch that could not be written.
    public struct FailedBatch: Sendable, Equatable {
        /// The key of the batch.
        public var key: SampleBatch.Key
        /// The number of samples.
        public var count: Int
    }

    /// Bytes of the document that are not in the export.
    public struct SkippedRange: Sendable, Equatable {
        /// The offset of the first byte in the document.
        public var offset: Int
        /// The number of bytes.
        public var length: Int

        package init(offset: Int, length: Int) {
            self.offset = offset
            self.length = length
        }
    }

    /// The number of times that an element was read and written.
    public struct Count: Sendable, Equatable {
        /// In the source.
        public var read = 0
        /// In the export.
        public var written = 0

        package init(read: Int = 0, written: Int = 0) {
            self.read = read
            self.written = written
        }
    }

    /// The data that earlier exports had and the newest one no longer has.
    ///
    /// It is in separate batches and files, and is not included in any other count in the manifest.
    public struct Gone: Sendable, Equatable {
        /// The batch spans, sorted.
        public var spans: [Span] = []
        /// The side files, sorted by name.
        public var files: [File] = []

        /// Makes an empty list.
        public init() {}

        /// The number of samples.
        public var sampleCount: Int { spans.total(\.identity.count) }
        /// Whether nothing is gone.
        public var isEmpty: Bool { spans.isEmpty && files.isEmpty }
    }

    /// The version of its form.
    var version = Manifest.version
    /// The source's fingerprint.
    public var fingerprint = SourceFingerprint()
    /// The export date as Apple wrote it; empty if it is missing.
    public var exportDate = ""
    /// The export date as a time; nil if it is missing or has another form.
    public var exported: Timestamp? { Timestamp(healthApp: Array(exportDate.utf8).span) }
    /// The export date for telling which of several exports is newest; nil if it is not known.
    package var dateInOrder: OrderedDate? { exported.map { OrderedDate($0.seconds) } }
    /// The locale of the export; empty if it is missing.
    public var locale = ""
    /// The time zone that defines the days of the export: a name of the zone database (`Europe/Berlin`), or an offset
    /// (`+02:00`) if no sample names one; empty if there is neither.
    public var zone = ""
    /// The version of Apple's document type; nil if there is none.
    public var documentType: Int?
    /// Whether the source was truncated, and the remaining part was exported.
    public var isTruncated = false
    /// Whether this is a copy that does not name its person: names are numbers, and dates are shifted.
    public var isPseudonymised = false
    /// The bytes of the document that could not be read, in order.
    public var skipped: [SkippedRange] = []
    /// The selection from an archive; nil if this lists everything that was exported.
    ///
    /// With a selection, all counts are of the selected samples only, and there are no files.
    public var selection: Selection?
    /// The formats in the folder, with the data that they do not keep; empty for NDJSON alone.
    public var formats: [Format] = []
    /// The rule by which samples were put into batches, as `BatchOptions` describes it.
    public var batching = ""
    /// The number of exports that the samples come from: more than 1 once a later export has continued an archive.
    ///
    /// The positions of samples are then no longer those in a document, but still unique.
    public var exports = 1
    /// Counts by the path of the element: `Record`, `Workout/WorkoutEvent`, ...
    public var elements: [ExactName: Count] = [:]
    /// Counts by the sample type: `HKQuantityTypeIdentifierStepCount`, `ClinicalRecord/Observation`, ...
    public var types: [ExactName: Count] = [:]
    /// Names of the sources of samples, sorted.
    public var sources: [String] = []
    /// The counts of oddities, by name.
    public var warnings: [String: Int] = [:]
    /// Counts of the elements that no version of Apple's document type declares, by their paths.
    public var unknownElements: [ExactName: Int] = [:]
    /// Counts of the attributes that no version of Apple's document type declares for their element, by its path and
    /// their name: `Workout/WorkoutEvent/@pace`.
    public var unknownAttributes: [ExactName: Int] = [:]
    /// The batch spans, sorted.
    public var spans: [Span] = []
    /// The side files, sorted by name.
    public var files: [File] = []
    /// The files of the source that are not part of an export.
    public var ignoredFiles: [BytePath] = []
    /// The paths of the first hundred side files that the document refers to and that the source lacks; all are counted
    /// in ``warnings``.
    public var missingFiles: [BytePath] = []

    /// The data that earlier exports had and the newest one no longer has.
    public var gone = Gone()

    /// Batches that could not be written, in the order of the source.
    public var failedBatches: [FailedBatch] = []

    /// The names of side files that were damaged in the source.
    public var damagedFiles: [BytePath] { files.filter(\.isDamaged).map(\.name) }
    /// Whether part of the source is missing from the export, because it could not be read or written.
    public var isIncomplete: Bool {
        isTruncated || !skipped.isEmpty || !failedBatches.isEmpty || files.contains(where: \.isDamaged)
    }

    /// Whether missing data may become available again: a device may work again, or a file may be restored.
    public var isMendable: Bool { !failedBatches.isEmpty || files.contains(where: \.isDamaged) }

    /// Makes an empty manifest.
    public init() {}

    /// The number of samples: of all rows except the root element, export date, `Me` and stray text.
    public var sampleCount: Int {
        spans.total { Self.isSample($0.key.element) ? $0.identity.count : 0 }
    }

    /// The number of sample types, with each kind of element without types counted as one.
    public var typeCount: Int {
        Set(
            spans.lazy.filter { Self.isSample($0.key.element) }.map {
                TypeKey(element: $0.key.element, type: $0.key.type)
            }
        ).count
    }

    /// The manifest of only those samples that only earlier exports had.
    package var ofGone: Manifest {
        var manifest = Manifest()
        manifest.fingerprint = fingerprint
        manifest.exportDate = exportDate
        manifest.locale = locale
        manifest.zone = zone
        manifest.documentType = documentType
        manifest.batching = batching
        manifest.exports = exports
        manifest.spans = gone.spans
        return manifest
    }

    /// The number of batches that were written.
    package var batchCount: Int { spans.total(\.parts) - failedBatches.count }

    package static func isSample(_ element: String) -> Bool {
        AnySampleType.identifier(ofElement: element, type: "") != nil
    }

    /// The earliest start of a sample.
    public var first: Timestamp? {
        spans.lazy.filter { Self.isSample($0.key.element) }.compactMap(\.first).min {
            $0.seconds < $1.seconds
        }
    }

    /// The sum of the identities in each span.
    package var sums: [SampleBatch.Key: IdentitySum] {
        Dictionary(spans.filter { $0.identity.count > 0 }.map { ($0.key, $0.identity) }) { first, _ in first }
    }

    /// The latest start of a sample.
    public var last: Timestamp? {
        spans.lazy.filter { Self.isSample($0.key.element) }.compactMap(\.last).max { $0.seconds < $1.seconds }
    }
}

extension Manifest.Span {
    /// Makes an empty span.
    package init(key: SampleBatch.Key) { self.key = key }

    /// Adds a batch of the span.
    package mutating func add(_ batch: BatchFacts) {
        // The parts before this one may include one that failed.
        parts = max(parts, batch.key.part)
        identity.add(batch.identity)
        first.lower(to: batch.first)
        last.raise(to: batch.last)
    }

    /// Returns the keys of its parts, including those that could not be written.
    ///
    /// - Parameter limit: The maximum number of parts to return, unless `partNumbers` lists them.
    package func batchKeys(limit: Int) -> [SampleBatch.Key] {
        (partNumbers ?? Array(1..<(min(parts, limit) + 1))).map { part in
            var key = key
            key.part = part
            return key
        }
    }
}
