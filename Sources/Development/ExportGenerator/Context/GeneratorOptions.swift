public import ByteText

/// The options of a generated export.
public struct GeneratorOptions: Sendable, Hashable {
    /// The size of the smallest document with room for the declarations and an element of each kind.
    public static let minimumXMLBytes = 20_000

    /// The seed of all random choices: equal seeds and options produce equal bytes.
    public var seed: UInt64

    /// The size of the main document, reached within about one per cent.
    ///
    /// Values below ``minimumXMLBytes`` are raised to it.
    public var xmlBytes: Int

    /// How the records are arranged.
    public var shape: Shape

    /// The version of the document type declaration, or nil for a document without one.
    ///
    /// The version determines the content too: elements, attributes and types of later systems are missing from
    /// older exports. Without a declaration, the content is that of the newest version.
    public var dtdVersion: DTDVersion?

    /// The number of files beside the main document.
    public var sideFiles = SideFiles.some

    /// How many years the data reaches back from the export, from one to a hundred.
    public var years = 10

    /// When the export was made; its offset applies to all dates in the document.
    public var exportDate = Timestamp(seconds: 1_768_465_800, offsetMinutes: 60)

    /// The device's locale, as given in the root element.
    ///
    /// The language determines the format of the times of day in heart rate variability records.
    public var locale = "en_US"

    /// Creates options; all others have a default, too.
    public init(
        seed: UInt64 = 1, xmlBytes: Int = 1_000_000, shape: Shape = .ordinary, dtdVersion: DTDVersion? = .v14
    ) {
        self.seed = seed
        self.xmlBytes = xmlBytes
        self.shape = shape
        self.dtdVersion = dtdVersion
    }
}

extension GeneratorOptions {
    /// How the records of an export are arranged: as Apple arranges them, or to stress a reader in a particular way.
    public enum Shape: String, CaseIterable, Sendable {
        /// Records grouped by type, with the proportions of a real export.
        case ordinary

        /// A random type and date in every record.
        case shuffled

        /// 100,000 distinct type names, with records grouped by type.
        ///
        /// A document too small for a record of each type has fewer types.
        case manyTypes

        /// A unique metadata value in every record.
        case uniqueMetadata

        /// A new memory address in the device text of every record: the worst case for compression.
        case newDevices

        /// An ordinary export whose steps, walking distances and active energy come from walks that an Apple
        /// Watch and an iPhone record, mostly both at once.
        ///
        /// A sum over all records counts such walks twice, ``GeneratedCensus/trueTotals`` counts them once. If the
        /// years are too short for that many walks, the document has more records of other types.
        case watchAndPhone
    }

    /// The number of files beside the main document.
    ///
    /// With ``none``, the main document refers to the same files as with ``some``, but they are missing, as they
    /// sometimes are in real exports.
    public enum SideFiles: String, CaseIterable, Sendable {
        /// No files.
        case none

        /// A handful of each kind, with one electrocardiogram in German and a small clinical document.
        case some

        /// 500 routes, 50 electrocardiograms, 142 clinical records, and a clinical document a third the size of
        /// the main document, with a second root element, as real ones often have.
        ///
        /// A small document has fewer workouts than routes, and does not refer to the other routes.
        case heavy
    }

    /// A version of the document type declaration, as given in its comment `HealthKit Export Version`.
    public enum DTDVersion: Int, CaseIterable, Comparable, Sendable {
        /// iOS 9.3 to 11.
        case v3 = 3

        /// iOS 12: clinical records, heartbeats, routes with inline locations.
        case v8 = 8

        /// iOS 14 and 15: routes in separate files.
        case v11 = 11

        /// iOS 16.0 and 16.1: workout statistics and activities, and a declaration that is not well-formed.
        case v12 = 12

        /// iOS 16.2 to 17: a repaired declaration, audiograms and attachments.
        case v13 = 13

        /// iOS 18 and later, with the masked audiogram points of 18.1.
        case v14 = 14

        /// Whether the first of two versions is older.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        /// The last year in which a system wrote this version.
        var lastYear: Int {
            let years: [Self: Int] = [.v3: 2017, .v8: 2018, .v11: 2021, .v12: 2022, .v13: 2023]
            return years[self] ?? .max
        }
    }
}
