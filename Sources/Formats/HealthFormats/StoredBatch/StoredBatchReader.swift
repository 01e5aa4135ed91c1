import ByteText
public import SampleBatches

/// Reads stored batches.
public struct StoredBatchReader: Sendable {
    private var contexts = ContextCache()
    /// The values of the last batch whose identities were summed, whose memory the next one uses.
    private var numbers: [Int] = []

    /// The most values whose memory is kept.
    private static let mostKept = 1 << 19

    /// Makes a reader, which can be reused.
    public init() {}

    /// The largest size of the rows of a batch as NDJSON, in bytes.
    public static let largestLines = 2 * BatchOptions.lineLimit
    /// The largest JSON text of a stored batch, in bytes; no text takes more space in it than in the NDJSON lines.
    public static let largestText = BatchOptions.lineLimit + BatchOptions.lineLimit / 2

    /// Reads the JSON text of a stored batch.
    ///
    /// - Parameters:
    ///   - json: The text, at most ``largestText`` bytes.
    ///   - lines: The largest allowed size of the rows as NDJSON, in bytes.
    /// - Throws: `FormatError`, with `tooLarge` if the rows exceed `lines`, before memory is allocated for them.
    public mutating func read(
        _ json: [UInt8], lines: Int = largestLines
    ) throws(FormatError) -> SampleBatch {
        try Self.rethrowing { try parts(of: json, lines: lines).batch(json) }
    }

    /// Reads the JSON text of a stored batch, and returns only what its rows are in sum.
    ///
    /// - Parameters:
    ///   - json: The text, at most ``largestText`` bytes.
    ///   - lines: The largest allowed size of the rows as NDJSON, in bytes.
    /// - Throws: `FormatError` wherever ``read(_:lines:)`` does.
    package mutating func identity(
        of json: [UInt8], lines: Int = largestLines
    ) throws(FormatError) -> StoredIdentity {
        defer { if numbers.capacity > Self.mostKept { numbers = [] } }
        return try Self.rethrowing { try parts(of: json, lines: lines).identity(json, using: &numbers) }
    }

    private static func rethrowing<Result>(_ body: () throws -> Result) throws(FormatError) -> Result {
        do { return try body() } catch let error as FormatError {
            throw error
        } catch let error as JSONError {
            throw FormatError(error)
        } catch { throw FormatError(.malformed) }
    }

    /// Reads some columns of the JSON text of a stored batch, and nothing of the others, in place of those of another batch.
    ///
    /// - Parameters:
    ///   - wanted: The columns.
    ///   - json: The text, at most ``largestText`` bytes.
    ///   - lines: The largest allowed size of the rows as NDJSON, in bytes.
    ///   - columns: Receives the columns.
    /// - Returns: false if rows differ in where they store a wanted value, so that they must be read one by one.
    /// - Throws: `FormatError`, with `tooLarge` if there are more rows than `lines` has room for.
    package mutating func read(
        _ wanted: StoredColumns.Wanted, of json: [UInt8], lines: Int = largestLines,
        into columns: inout StoredColumns
    ) throws(FormatError) -> Bool {
        try Self.rethrowing {
            try columns.read(wanted, parts(of: json, lines: lines, skippingContents: true), json)
        }
    }

    /// Reads everything but the values of rows.
    private mutating func parts(
        of json: [UInt8], lines: Int, skippingContents: Bool = false
    ) throws -> StoredBatchParts {
        guard json.count <= Self.largestText else { throw FormatError(.tooLarge) }
        var parts = StoredBatchParts(lines: lines, skipsContents: skippingContents)
        var reader = JSONReader(json)
        try reader.object { reader, key in try parts.read(key, &reader, &contexts) }
        try reader.finish()
        guard parts.format == StoredBatchWriter.format else { throw FormatError(.unsupportedVersion) }
        return parts
    }
}
