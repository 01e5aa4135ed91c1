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
}
