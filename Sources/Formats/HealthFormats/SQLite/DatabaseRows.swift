import Database
import SampleBatches

/// The rows of a batch as they are inserted into a database.
package struct DatabaseRows: Sendable {
    /// The rows of the table of all samples.
    var samples: [SampleRow] = []
    /// For each sample, a hash of everything that distinguishes it from others of its type.
    var identities: [UInt128] = []
    /// Which samples are copies of earlier ones in the batch; empty if there are none.
    var copies: [Bool] = []
    /// The origin for each context of the samples.
    var origins: [Origin] = []
    /// The metadata of samples and of nested elements.
    var metadata: [[MetadataEntry]] = []
    /// The rows of other tables, each after the row that it is nested in.
    var elements: [ElementRow] = []
    /// The data of samples that has no column, each with the number of the sample, in order.
    var others: [(sample: Int, text: [UInt8])] = []
    /// Text values and the exact texts of numbers, each with the number of the sample, in order.
    var texts: [(sample: Int, text: [UInt8])] = []
    /// Attributes of the export itself and of the person.
    var about: [(attribute: [UInt8], value: [UInt8])] = []
    /// The samples, if their values are added up by day.
    var summed: SampleBatch?
    /// Number of device pointers, which change with each export and are not kept.
    var devicePointers = 0

    /// A row of the table of all samples.
    struct SampleRow: Sendable {
        /// The number of its origin in the batch.
        var origin: Int
        var start: Int?
        var end: Int?
        /// The days on which it starts and ends, counted from 1970-01-01.
        var startDay: Int?
        var endDay: Int?
        var created: Int?
        var value: Double?
        /// The number of its metadata in the batch, from 1; 0 if it has none.
        var metadata = 0
        var position: Int
    }

    /// The attributes that all samples of a context share.
    struct Origin: Sendable, Hashable {
        var source: [UInt8]?
        var version: [UInt8]?
        var device: [UInt8]?
        var unit: [UInt8]?
        var startOffset: Int?
        var endOffset: Int?
        var creationOffset: Int?
    }

    struct MetadataEntry: Sendable, Hashable {
        let key: [UInt8]
        let value: [UInt8]
    }

    /// A row of an element's table.
    struct ElementRow: Sendable {
        /// The number of its table.
        let table: Int
        /// The number of the sample in the batch.
        let sample: Int
        /// The index of the row that it is nested in; nil if it is nested in the sample itself.
        let parent: Int?
        let number: Int
        var values: [DatabaseValue]
        /// The number of its metadata in the batch, from 1; 0 if it has none.
        var metadata = 0
        var other: [UInt8]?
    }
}
