public import AppleHealthExport

/// A synthetic Apple Health export of any size, made from a seed.
///
/// The same options always produce the same bytes, on every machine. Nothing is kept in memory beyond one chunk of
/// output, so an export may be larger than the memory of the machine that generates it.
///
/// The export has the structure, the proportions and the quirks of a real one (records grouped by type but
/// not sorted by date, one UTC offset for the whole file, device texts with memory addresses, document type
/// declarations that contradict the content), but no real person's data: names are invented, and all routes lie
/// around the point where the equator meets the prime meridian.
///
/// ```swift
/// var options = GeneratedExport.Options()
/// options.xmlBytes = 100_000_000
/// let census = GeneratedExport(options).writeXML { chunk in file.write(chunk) }
/// ```
public struct GeneratedExport: Sendable {
    /// The options of a generated export.
    public typealias Options = GeneratorOptions
    /// The counts that a reader must find in the document.
    public typealias Census = GeneratedCensus
    /// A file beside the main document.
    public typealias SideFile = GeneratedSideFile

    /// The options of this export.
    public let options: Options

    let context: ExportContext

    /// Creates an export; nothing is generated until it is requested.
    public init(_ options: Options = Options()) {
        self.options = options
        context = ExportContext(options)
    }

    /// Writes the main XML document in chunks of about 128 KiB.
    ///
    /// - Parameter emit: Receives each chunk in order; an error that it throws stops the writing.
    /// - Returns: The counts that a reader must find in the document.
    /// - Throws: Only the errors that `emit` throws.
    @discardableResult
    public func writeXML<E: Error>(_ emit: (borrowing Span<UInt8>) throws(E) -> Void) throws(E) -> Census {
        let appendNext = context.document()
        var stream = XMLStream(context)
        while appendNext(&stream) {
            if stream.text.count >= ByteText.chunkSize { try stream.drain(emit) }
        }
        try stream.drain(emit)
        return stream.census
    }

    /// Returns the counts for the document that ``writeXML(_:)`` writes, by generating it without output.
    public func census() -> Census { writeXML { _ in } }

    /// The files beside the main document, in a fixed order; empty for ``SideFiles/none``.
    public var sideFileList: [SideFile] { GeneratedSideFile.files(of: context) }

    /// Writes one of the files in ``sideFileList`` in the same way.
    public func writeSideFile<E: Error>(
        _ file: SideFile, _ emit: (borrowing Span<UInt8>) throws(E) -> Void
    ) throws(E) {
        let content = file.content()
        var text = ByteText()
        text.append(content.head)
        while content.next(&text) {
            if text.count >= ByteText.chunkSize { try text.drain(emit) }
        }
        text.append(content.end)
        try text.drain(emit)
    }
}

/// The main document of a generated export as a stream, generated while it is read and never entirely in memory.
public final class GeneratedDocument: ByteStream {
    private let appendNext: Section
    private var stream: XMLStream
    /// Bytes that have been generated but not read yet.
    private var pending: ArraySlice<UInt8> = []

    /// Creates a stream of the document of an export, from its start.
    public init(_ export: GeneratedExport) {
        appendNext = export.context.document()
        stream = XMLStream(export.context)
    }

    /// 0, because no checksum is recorded.
    public var crc32: UInt32 { 0 }

    /// Reads into a range of `target`, generating more text when needed.
    public func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        while pending.isEmpty, appendNext(&stream) {
            pending = stream.text.bytes[...]
            stream.drain { _ in }
        }
        let count = min(pending.count, range.count)
        for index in 0..<count { target[range.lowerBound + index] = pending[pending.startIndex + index] }
        pending = pending.dropFirst(count)
        return count
    }
}

@available(*, unavailable)
extension GeneratedDocument: Sendable {}
