import ByteSpans
import HealthModel
public import SampleBatches
public import SystemIO

/// The list of what an export holds.
///
/// It follows from the source and the options alone, so that two exports of the same source have the same
/// manifest.
public struct Manifest: Sendable, Equatable {
    /// The manifest's version.
    static let version = 1

    /// What is known of one batch span.
    public struct Span: Sendable, Equatable {
        /// Element, type and span; the part is 0.
        public var key: SampleBatch.Key
        /// Number of parts.
        public var parts = 0
        /// The numbers of the parts, in order, where others are missing among them; nil where they are 1, 2, 3 and so on.
        public var partNumbers: [Int]?
        /// Count and sum of the identities of all rows.
        public var identity = IdentitySum()
        /// The earliest start.
        public var first: Timestamp?
        /// The latest start.
        public var last: Timestamp?
    }

    /// What was selected of an archive; see ``SampleSelection``.
    public struct Selection: Sendable, Equatable {
        /// The identifiers of the types asked for, sorted; nil for all.
        public var types: [String]?
        /// The identifiers of types that were to be left out, sorted.
        public var excludedTypes: [String] = []
        /// No sample starts before; nil for no limit.
        public var since: Timestamp?
        /// No sample starts after; nil for no limit.
        public var until: Timestamp?
    }

    /// A file carried byte for byte.
    public struct File: Sendable, Equatable {
        /// Its name in the source.
        public var name: BytePath
        /// Its path in the export.
        public var path: BytePath
        /// Its length in bytes.
        public var length: Int
        /// Its CRC-32.
        public var crc32: UInt32
        /// The source held it damaged: length and CRC-32 are those of what could be read of it.
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
        /// What it was about.
        public var key: SampleBatch.Key
        /// Number of samples.
        public var count: Int
    }

    /// Bytes of the document that are not in the export.
    public struct SkippedRange: Sendable, Equatable {
        /// Where they start in the document.
        public var offset: Int
        /// How many they are.
        public var length: Int

        package init(offset: Int, length: Int) {
            self.offset = offset
            self.length = length
        }
    }

    /// How often an element was read and how often it was written.
    public struct Count: Sendable, Equatable {
        /// In the source.
        public var read = 0
        /// In the export.
        public var written = 0
    }

    /// The source's fingerprint.
    public var fingerprint = SourceFingerprint()
    /// The export date as Apple wrote it; empty where it is missing.
    public var exportDate = ""
    /// The locale of the export; empty where it is missing.
    public var locale = ""
    /// The time zone in which the days of the export are days: a name of the zone database (`Europe/Berlin`), or an
    /// offset (`+02:00`) where no sample names one; empty where there is neither.
    public var zone = ""
    /// The number of Apple's document type, nil where there is none.
    public var documentType: Int?
    /// The source was cut off, and what was left of it was exported.
    public var isTruncated = false
    /// The bytes of the document that could not be read, in order.
    public var skipped: [SkippedRange] = []
    /// What was selected of an archive; nil where this lists all that was exported.
    ///
    /// All counts are then of what was selected alone, and there are no files.
    public var selection: Selection?
    /// How samples were put into batches, as `BatchOptions` describes it.
    public var batching = ""
    /// Counts by the path of the element: `Record`, `Workout/WorkoutEvent`, ...
    public var elements: [ExactName: Count] = [:]
    /// Counts by the sample type: `HKQuantityTypeIdentifierStepCount`, `ClinicalRecord/Observation`, ...
    public var types: [ExactName: Count] = [:]
    /// Names of the sources of samples, sorted.
    public var sources: [String] = []
    /// Oddities by name.
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
    /// Files of the source that are no part of an export.
    public var ignoredFiles: [BytePath] = []

    /// Batches that could not be written, in the order of the source.
    public var failedBatches: [FailedBatch] = []

    /// Names of side files that the source held damaged.
    public var damagedFiles: [BytePath] { files.filter(\.isDamaged).map(\.name) }
    /// Something of the source is not in the export: it could not be read, or not be written.
    public var isIncomplete: Bool {
        isTruncated || !failedBatches.isEmpty || files.contains(where: \.isDamaged)
    }

    /// Something is not in the export that the same source may hold: a device may work again, a file be sound again.
    public var isMendable: Bool { !failedBatches.isEmpty || files.contains(where: \.isDamaged) }

    /// Nothing yet.
    public init() {}

    /// Samples: everything with a type of its own, that is all rows but the root element, export date,
    /// `Me` and stray text.
    public var sampleCount: Int {
        spans.total { Self.isSample($0.key.element) ? $0.identity.count : 0 }
    }

    /// Number of sample types, each kind of element without types counted as one.
    public var typeCount: Int {
        Set(
            spans.lazy.filter { Self.isSample($0.key.element) }.map {
                TypeKey(element: $0.key.element, type: $0.key.type)
            }
        ).count
    }

    /// Number of batches that were written.
    package var batchCount: Int { spans.total(\.parts) - failedBatches.count }

    package static func isSample(_ element: String) -> Bool {
        SampleType.identifier(ofElement: element, type: "") != nil
    }

    /// The earliest start of a sample.
    public var first: Timestamp? {
        spans.lazy.filter { Self.isSample($0.key.element) }.compactMap(\.first).min {
            $0.seconds < $1.seconds
        }
    }

    /// The latest start of a sample.
    public var last: Timestamp? {
        spans.lazy.filter { Self.isSample($0.key.element) }.compactMap(\.last).max { $0.seconds < $1.seconds }
    }
}

extension Manifest.Span {
    /// The keys of its parts, those included that could not be written.
    ///
    /// - Parameter limit: It has no more parts.
    package func batchKeys(limit: Int) -> [SampleBatch.Key] {
        (partNumbers ?? Array(1..<(min(parts, limit) + 1))).map { part in
            var key = key
            key.part = part
            return key
        }
    }
}
