public import ByteText
public import SampleBatches
import SipHash

/// The properties that rows of one kind have in common.
///
/// Rows of the same kind share one object.
public final class RowKind: Sendable {
    /// The element's name.
    public let element: String
    /// The sample type; empty for elements without one.
    public let type: String
    /// The order of the attributes, and the texts that all rows share.
    public let context: BatchContext
    /// A hash of the element and the context: kinds with the same one are the same, even if one of them was forgotten.
    public let identifier: UInt128
    let censusIndex: Int
    /// The index of its type count in the census; nil for elements without a type.
    let typeIndex: Int?
    /// The indices of the attributes that are not declared for the element.
    let unknownAttributes: [Int]
    /// Whether its rows may refer to side files.
    let mayNameFiles: Bool

    init(
        element: String, type: String, context: BatchContext, identifier: UInt128, censusIndex: Int,
        typeIndex: Int?,
        unknownAttributes: [Int]
    ) {
        self.element = element
        self.type = type
        self.context = context
        self.identifier = identifier
        self.censusIndex = censusIndex
        self.typeIndex = typeIndex
        self.unknownAttributes = unknownAttributes
        mayNameFiles = MissingFiles.mayBeNamed(in: element)
    }

    /// Chosen anew by each process, so that no document can have kinds with the same identifier on purpose.
    private static let key = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// Returns the identifier of a kind: SipHash-2-4-128 of the element's name, a zero byte, and the context as JSON.
    static func identifier(element: String, _ context: BatchContext) -> UInt128 {
        var hash = SipHash128(key: key)
        let (name, json) = (Array(element.utf8), context.json)
        hash.update(name.span)
        hash.update(UInt8(0))
        hash.update(json.span)
        return hash.finish()
    }
}

/// The content of an element.
///
/// Rows with the same content mostly share one object.
public final class RowContent: Sendable {
    /// The content as a JSON object.
    public let key: HashedBytes
    let oddities: ScanOddities
    /// The number of occurrences of each element and unknown attribute in it, by census index.
    let census: [(index: Int, count: Int)]

    init(_ key: HashedBytes, oddities: ScanOddities, census: [(index: Int, count: Int)]) {
        self.key = key
        self.oddities = oddities
        self.census = census
    }

    /// The content as a JSON object.
    public var json: [UInt8] { key.bytes }
}

/// Receives the rows of a document, in document order.
public protocol RowSink: ~Copyable {
    /// Receives a row.
    ///
    /// - Parameters:
    ///   - kind: The properties that the row shares with others.
    ///   - content: The content of the element; nil if there is none.
    ///   - position: Its place among the children of `HealthData`, from 1; the root element itself has 0.
    ///   - start: Its start time, if known.
    ///   - cells: Its values, as in a `SampleBatch`; a device's pointer may lack its quotes.
    ///   - text: The bytes with the tokens of its values.
    ///   - size: The size of its values, which decides how many rows make a batch; see `RowValues`.
    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int)

    /// Receives successive rows of the same kind.
    ///
    /// - Parameters:
    ///   - contents: The contents of their elements.
    ///   - position: The place of the first; that of each other follows the one before it.
    mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>)

    /// Releases the kinds received so far.
    ///
    /// Called when there are too many to keep. Later rows of the same kinds come with new objects, as those of kinds do that
    /// were not met for long; their identifiers stay the same.
    mutating func forgetKinds()
}

extension RowSink where Self: ~Copyable {
    /// Receives one row after the other.
    public mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>
    ) {
        for row in 0..<rows.count {
            let place = rows.content(of: row)
            append(
                kind, content: place == 0 ? nil : contents[place - 1], position: position + row,
                start: rows.start(of: row),
                cells: rows.values(of: row, columns: kind.context.columns.count).span, text: text,
                size: rows.size(of: row))
        }
    }

    /// Does nothing, for sinks that don't keep kinds.
    public mutating func forgetKinds() {}
}
