import ByteText
public import SystemIO

/// Reads the main document of an export in one pass, front to back, in windows that grow only for larger elements.
///
/// Call `advance(into:)` or `advance(into:readingAheadOn:)` until it returns false; each call passes the rows that it
/// reads to a sink.
public struct DocumentReader {
    private let filler: WindowFiller
    private let name: BytePath
    private var window: DocumentWindow
    /// The most bytes to examine at a time.
    private var windowSize: Int
    /// Whether an element did not fit in the window, although there was room for more.
    private var isStuck = false
    /// The offset of the window's first byte in the document.
    private var offset = 0
    private var stage = Stage.prologue
    private var scanner: RowScanner
    private var acceptsDamage: Bool { scanner.damage.isActive }

    private enum Stage {
        case prologue
        case rows
        case epilogue
        case done
    }

    /// The bytes before the root element.
    public private(set) var prologue: [UInt8] = []
    /// The version of Apple's document type; nil if the document has none.
    public private(set) var documentTypeVersion: Int?

    static let windowSize = 1 << 19
    /// The maximum length of the text before the root element, in bytes.
    public static let longestPrologue = Prologue.longest
    /// The maximum size of an element, in bytes; an element must fit in memory as a whole.
    public static let longestElement = 1 << 22

    /// Makes a reader for `stream`.
    ///
    /// - Parameters:
    ///   - stream: The document's bytes.
    ///   - name: The document's name, for messages.
    ///   - observer: Receives all bytes as they are read.
    ///   - sideFiles: The paths of the files that came with it; nil if it came alone. ``missingFiles`` lists those that
    ///     are not among them.
    ///   - acceptsDamage: Whether to skip unreadable parts, up to the next element; ``skipped`` lists them.
    public init(
        _ stream: any ByteStream, name: BytePath, observer: any DocumentObserver = NoObserver(),
        sideFiles: Set<String>? = nil, acceptsDamage: Bool = false
    ) {
        self.init(
            stream, name: name, observer: observer, windowSize: Self.windowSize, usesTemplates: true,
            sideFiles: sideFiles, acceptsDamage: acceptsDamage)
    }

    /// Makes a reader with a given window size, with or without recognising rows and contents by their bytes.
    ///
    /// Tests compare both ways of reading.
    package init(
        _ stream: any ByteStream, name: BytePath, observer: any DocumentObserver = NoObserver(),
        windowSize: Int,
        usesTemplates: Bool, sideFiles: Set<String>? = nil, acceptsDamage: Bool = false
    ) {
        filler = WindowFiller(stream, observer, windowSize: windowSize)
        self.name = name
        self.windowSize = windowSize
        window = DocumentWindow(size: windowSize)
        scanner = RowScanner(
            usesTemplates: usesTemplates, sideFiles: sideFiles, acceptsDamage: acceptsDamage)
    }

    /// Returns whether a text can precede the root element of a document that this reader accepts.
    package static func isPrologue(_ text: [UInt8]) -> Bool {
        let document = text + Array("<HealthData>".utf8)
        return (try? Prologue(document.span, atEnd: true))?.bytes == text
    }

    /// The number of bytes examined so far.
    public var bytesRead: Int { offset + available.count }
    /// The number of rows so far: the root element and its children.
    public var rowCount: Int { scanner.position }
    /// The oddities found so far.
    public var oddities: ScanOddities { scanner.oddities }
    /// The byte ranges of the document that were skipped because they could not be read, in order.
    public var skipped: [Range<Int>] { scanner.damage.skipped }
    /// Whether the document ended before its root element did, or could not be read to the end.
    public private(set) var isTruncated = false
    /// The number of occurrences of each element so far.
    public var census: Census { scanner.census }
    /// The side files that the document refers to and that did not come with it; none if it came alone.
    public var missingFiles: MissingFiles { scanner.missingFiles }

    /// Reads about one more window.
    ///
    /// - Returns: false at the end of the document.
    /// - Throws: `ExportError` with the position in the document.
    public mutating func advance<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(ExportError) -> Bool
    {
        while needsMore { filler.fill(window) }
        return try read(into: &sink)
    }

    /// Reads about one more window, and reads ahead concurrently if there are processors for that.
    ///
    /// - Returns: false at the end of the document.
    /// - Throws: `ExportError` with the position in the document.
    public mutating func advance<Sink: RowSink & ~Copyable>(
        into sink: inout Sink, readingAheadOn processors: Processors
    ) async throws(ExportError) -> Bool {
        guard processors.count > 0 else { return try advance(into: &sink) }
        while needsMore {
            continueWith(await filler.next(on: processors))
        }
        return try read(into: &sink)
    }

    /// Whether the window has too few bytes and more may follow.
    ///
    /// What fits in front of the next window waits for it, as does what an element did not fit in; small windows, which only
    /// tests have, are filled first.
    private var needsMore: Bool {
        let enough = isStuck ? windowSize : min(filler.pieceSize, DocumentWindow.headroom + 1)
        return window.filled.count < enough && !window.isLast && window.failure == nil
    }

    /// Continues with the next window, preceded by the rest of the current one.
    private mutating func continueWith(_ next: DocumentWindow) {
        if next.prepend(restOf: window) {
            filler.recycle(window)
            window = next
        } else {
            window.append(next)
            filler.recycle(next)
        }
    }

    private mutating func read<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(ExportError) -> Bool {
        do throws(ExportError) {
            if window.filled.count < windowSize, !window.isLast, let failure = window.failure {
                // Nothing after a damaged part of a zip can be read.
                guard acceptsDamage, [.checksumMismatch, .truncated].contains(failure.code) else {
                    throw failure
                }
                window.endHere()
            }
            switch stage {
            case .prologue: try readPrologue(into: &sink)
            case .rows: try readRows(into: &sink)
            case .epilogue: try readEpilogue()
            case .done: break
            }
            return stage != .done
        } catch {
            var named = error
            if named.file.isEmpty { named.file = name }
            throw named
        }
    }

    /// The bytes to examine.
    private var available: Range<Int> { window.filled.prefix(windowSize) }

    /// Whether the available bytes are the document's last.
    private var atEnd: Bool { window.isLast && window.filled.count < windowSize }

    private mutating func readPrologue<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(ExportError) {
        guard !available.isEmpty else { throw ExportError(.empty) }
        guard let (prologue, tag) = try Self.opening(window.bytes, available, atEnd: atEnd) else {
            try grow()
            return
        }
        self.prologue = prologue.bytes
        documentTypeVersion = prologue.version
        scanner.allowsSpacedNames = !prologue.hasDocumentType
        Self.scanRoot(window.bytes, available, tag, &scanner, into: &sink)
        stage = tag.isEmpty ? .epilogue : .rows
        drop(tag.end)
    }

    // These are static and take the window as an argument, so that no exclusive access covers both the window and the
    // code that reads it.

    private static func scanRoot<Sink: RowSink & ~Copyable>(
        _ window: [UInt8], _ range: Range<Int>, _ tag: StartTag, _ scanner: inout RowScanner,
        into sink: inout Sink
    ) {
        scanner.scanRoot(window.span.extracting(range), tag, into: &sink)
    }

    private static func scan<Sink: RowSink & ~Copyable>(
        _ window: [UInt8], _ range: Range<Int>, _ scanner: inout RowScanner, offset: Int, atEnd: Bool,
        into sink: inout Sink
    ) throws(ExportError) -> RowScanner.Stop {
        try scanner.scan(window.span.extracting(range), offset: offset, atEnd: atEnd, into: &sink)
    }

    /// Returns the prologue and the root's start tag; nil if the window ends inside them.
    private static func opening(
        _ window: [UInt8], _ range: Range<Int>, atEnd: Bool
    ) throws(ExportError) -> (Prologue, StartTag)? {
        let bytes = window.span.extracting(range)
        guard let prologue = try Prologue(bytes, atEnd: atEnd) else { return nil }
        var tag = StartTag()
        do { try MarkupReader.startTag(bytes, at: prologue.bytes.count, into: &tag) } catch {
            guard error == .needsMore else {
                throw ExportError(.malformed(.startTag), offset: prologue.bytes.count, element: "HealthData")
            }
            guard !atEnd else { throw ExportError(.truncated, offset: prologue.bytes.count) }
            return nil
        }
        return (prologue, tag)
    }

    private mutating func readRows<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(ExportError) {
        let stop = try Self.scan(
            window.bytes, available, &scanner, offset: offset, atEnd: atEnd, into: &sink)
        guard !scanner.census.isFull else {
            throw ExportError(.tooManyNames, offset: offset + stop.consumed)
        }
        if stop.isFinished {
            stage = .epilogue
        } else if atEnd {
            // The root element was not closed.
            guard acceptsDamage, rowCount > 0 else {
                throw ExportError(.truncated, offset: offset + stop.consumed, element: "HealthData")
            }
            scanner.skip((offset + stop.consumed)..<(offset + available.count))
            isTruncated = true
            stage = .done
        } else if stop.consumed == 0 {
            try grow()
        }
        drop(stop.consumed)
    }

    /// Reads the comments and white space that may follow the root element.
    private mutating func readEpilogue() throws(ExportError) {
        let atEnd = atEnd
        let end: Int
        do throws(ExportError) {
            end = try Self.endOfEpilogue(window.bytes, available, offset: offset, atEnd: atEnd)
        } catch {
            guard acceptsDamage else { throw error }
            // The document has ended; whatever follows is not part of it.
            scanner.skip(offset..<(offset + available.count))
            end = available.count
        }
        if end == 0, !available.isEmpty { try grow() }
        drop(end)
        guard atEnd, available.isEmpty else { return }
        // The document is complete, but the stream was truncated or its checksum was wrong.
        if let failure = window.failure {
            guard acceptsDamage, [.truncated, .checksumMismatch].contains(failure.code) else { throw failure }
            isTruncated = true
        }
        stage = .done
    }

    private static func endOfEpilogue(
        _ window: [UInt8], _ range: Range<Int>, offset: Int, atEnd: Bool
    ) throws(ExportError) -> Int {
        let bytes = window.span.extracting(range)
        var index = 0
        while index < bytes.count {
            if MarkupReader.isSpace(bytes[index]) {
                index += 1
                continue
            }
            let next: Int
            do { next = try MarkupReader.skipOther(bytes, at: index) } catch {
                if error == .needsMore, !atEnd { return index }
                let root = Array("<HealthData".utf8)
                let isDocument = bytes.matches(at: index, root.span, 0..<root.count)
                throw ExportError(
                    .malformed(isDocument ? .secondDocument : .contentAfterEnd), offset: offset + index)
            }
            guard !MarkupReader.isCDATA(bytes, at: index) else {
                throw ExportError(.malformed(.contentAfterEnd), offset: offset + index)
            }
            index = next
        }
        return index
    }

    /// Drops bytes from the start of the window.
    private mutating func drop(_ count: Int) {
        window.drop(count)
        offset += count
        if count > 0 { isStuck = false }
    }

    /// Fills the window for an element that does not fit, or enlarges it if it is full.
    private mutating func grow() throws(ExportError) {
        isStuck = true
        guard available.count == windowSize else { return }
        guard windowSize < Self.longestElement else {
            if stage == .rows, scanner.skip(from: offset) { return }
            throw ExportError(.elementTooLarge, offset: offset)
        }
        windowSize *= 2
    }
}

@available(*, unavailable)
extension DocumentReader: Sendable {}

/// Observes the bytes of a document as they are read.
public protocol DocumentObserver {
    /// Observes the next bytes.
    mutating func observe(_ bytes: Span<UInt8>)
}

/// An observer that does nothing.
public struct NoObserver: DocumentObserver, Sendable {
    /// Makes an observer.
    public init() {}
    /// Does nothing.
    public mutating func observe(_ bytes: Span<UInt8>) {}
}
