extension GeneratorOptions {
    /// How the records of an export are arranged: as Apple does it, or to stress a reader in one way.
    public enum Shape: String, CaseIterable, Sendable {
        /// Records grouped by type, with the proportions of a real export.
        case ordinary

        /// A new type and a new date in every record.
        case shuffled

        /// 100,000 distinct type names, the records of each type together.
        ///
        /// A document too small for one record of each has fewer.
        case manyTypes

        /// A unique metadata value in every record.
        case uniqueMetadata

        /// A new memory address in the device text of every record: the worst case for compression.
        case newDevices

        /// An ordinary export whose steps, walking distances and active energy come from walks that an Apple
        /// Watch and an iPhone record, mostly both at once.
        ///
        /// A sum over all records counts such walks twice, and ``GeneratedCensus/trueTotals`` once. If the
        /// years have no room for so many walks, the document has more records of other types.
        case watchAndPhone
    }

    /// How many files there are beside the main document.
    ///
    /// With ``none`` the main document refers to the same files as with ``some``, but they are missing, as they
    /// sometimes are in real exports.
    public enum SideFiles: String, CaseIterable, Sendable {
        /// No file at all.
        case none

        /// A handful of each kind, one electrocardiogram in German, a small clinical document.
        case some

        /// 500 routes, 50 electrocardiograms, 142 clinical records, and a clinical document of a third of
        /// the main document's size that has a second root, as real ones often do.
        ///
        /// Routes for which a small document has no workout are not referred to.
        case heavy
    }
}
