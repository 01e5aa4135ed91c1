package import SampleBatches
package import SystemIO

/// Writes an export in one format.
///
/// Batches come in the order of ``FormatOrder``, those of one type one after the other, and after them the side files.
package protocol FormatWriter: AnyObject {
    /// Makes an encoder; each worker has one of its own.
    var makeEncoder: @Sendable () -> any FormatEncoder { get }

    /// Adds rows that an encoder of this writer has made.
    ///
    /// - Throws: What writing throws.
    func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws

    /// Adds a side file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - read: Reads the file piece by piece, as often as it is called.
    func add(_ file: FormatFile, _ read: FileReading) throws

    /// Writes what comes after all rows and files.
    ///
    /// - Returns: What the format leaves out.
    func finish(_ facts: FormatFacts) throws -> FormatLosses
}

/// Reads a file, and passes on its bytes piece by piece.
package typealias FileReading = (_ body: ([UInt8]) throws -> Void) throws -> Void

/// Encodes the rows of batches in one format; used by one worker at a time.
package protocol FormatEncoder: AnyObject, Sendable {
    /// Encodes all rows of a batch.
    ///
    /// - Throws: `FormatError` if a content is not the JSON of batches.
    func encode(_ batch: SampleBatch) throws -> EncodedRows
}

/// Rows in the form of a format.
package struct EncodedRows: Sendable {
    /// The text of the rows, if the format is one.
    package var text: [UInt8] = []
    /// The rows in a form that only the writer of the format knows.
    var form: (any Sendable)?
    /// The number of values that are kept as text beside their column, by name.
    package var asText: [String: Int] = [:]

    package init() {}
}

/// A side file of an export.
package struct FormatFile: Sendable {
    /// Its name in the source.
    package let name: BytePath
    /// Its path in the export.
    package let path: BytePath
    /// Its length in bytes.
    package let length: Int

    package init(name: BytePath, path: BytePath, length: Int) {
        self.name = name
        self.path = path
        self.length = length
    }
}

/// The facts about an export that are known when all of it was written.
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

/// What a format leaves out of an export, by kind.
package struct FormatLosses: Sendable, Equatable {
    /// What is missing, with its number.
    package var notKept: [String: Int] = [:]
    /// What is kept as text where a number or a time is expected, with its number.
    package var asText: [String: Int] = [:]

    package init() {}

    mutating func add(_ rows: EncodedRows) {
        for (name, count) in rows.asText { asText[name, default: 0] += count }
    }
}

/// The files that a format writes.
package protocol FormatFiles: AnyObject {
    /// Appends bytes to a file, which is created with the first of them.
    func append(_ bytes: Span<UInt8>, to path: BytePath) throws
    /// Completes a file.
    func end(_ path: BytePath) throws
}
