package import SampleBatches

/// Writes an export in one format.
///
/// Batches are added in the order of ``FormatOrder``, with all batches of a type together, followed by the side files.
package protocol FormatWriter: AnyObject {
    /// Makes an encoder; each worker has its own.
    var makeEncoder: @Sendable () -> any FormatEncoder { get }

    /// Adds rows that an encoder of this writer has made.
    ///
    /// - Throws: Any error from writing.
    func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws

    /// Adds a side file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - read: Reads the file piece by piece; may be called repeatedly.
    func add(_ file: FormatFile, _ read: FileReading) throws

    /// Writes everything that follows the rows and files.
    ///
    /// - Returns: The data that the format omits or keeps only as text.
    func finish(_ facts: FormatFacts) throws -> FormatLosses
}

/// Encodes the rows of batches in one format; used by one worker at a time.
package protocol FormatEncoder: AnyObject, Sendable {
    /// Encodes all rows of a batch.
    ///
    /// - Throws: `FormatError` if a content is not valid batch JSON.
    func encode(_ batch: SampleBatch) throws -> EncodedRows
}

/// Rows encoded in a format.
package struct EncodedRows: Sendable {
    /// The text of the rows, if the format is text.
    package var text: [UInt8] = []
    /// The rows in a form known only to the writer of the format.
    package var form: (any Sendable)?
    /// The number of items of each kind that are kept as text because columns cannot fully represent them.
    package var asText: [String: Int] = [:]

    package init() {}
}

/// The facts about an export that are known once all of it is written.
package struct FormatFacts: Sendable {
    /// The manifest of the export, a JSON object.
    package let manifest: [UInt8]
    /// The export date as Apple wrote it; empty if it is missing.
    package let exportDate: String
    /// Number of samples.
    package let sampleCount: Int

    package init(manifest: [UInt8], exportDate: String, sampleCount: Int) {
        self.manifest = manifest
        self.exportDate = exportDate
        self.sampleCount = sampleCount
    }
}

/// The data of an export that a format omits or keeps as text, by kind.
package struct FormatLosses: Sendable, Equatable {
    /// The number of omitted items of each kind.
    package var notKept: [String: Int] = [:]
    /// The number of items of each kind that are kept as text because columns cannot fully represent them.
    package var asText: [String: Int] = [:]

    package init() {}

    mutating func add(_ rows: EncodedRows) {
        for (name, count) in rows.asText { asText[name, default: 0] += count }
    }
}
