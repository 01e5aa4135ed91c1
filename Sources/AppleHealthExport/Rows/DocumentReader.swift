import ByteSpans

/// Reads the main document of an export: one pass, front to back, in a window of fixed size.
///
/// Call `advance(into:)` until it returns false; the rows go to a sink as they come.
public struct DocumentReader {
    private let stream: any ByteStream
    private let name: String
    private var window: [UInt8]
    private var filled = 0
    /// The window's place in the document.
    private var offset = 0
    private var atEnd = false
    private var stage = Stage.prologue
    private var scanner: RowScanner
    private var observer: any DocumentObserver

    private enum Stage {
        case prologue
        case rows
        case epilogue
        case done
    }

    /// The bytes before the root element.
    public private(set) var prologue: [UInt8] = []
    /// The number of Apple's document type, nil where there is none.
    public private(set) var documentTypeVersion: Int?

    static let windowSize = 1 << 18
    /// An element larger than this is refused: it would have to be held in memory as a whole.
    public static let longestElement = 1 << 24

    /// Reads from `stream`.
    ///
    /// - Parameters:
    ///   - stream: The document's bytes.
    ///   - name: The document's name, for messages.
    ///   - observer: Sees all bytes as they go by.
    public init(_ stream: any ByteStream, name: String, observer: any DocumentObserver = NoObserver()) {
        self.init(stream, name: name, observer: observer, windowSize: Self.windowSize, usesTemplates: true)
    }

    /// The same with a window of another size, or without recognising kinds of rows by their bytes, so that tests can
    /// hold both ways of reading against each other.
    package init(
        _ stream: any ByteStream, name: String, observer: any DocumentObserver = NoObserver(),
        windowSize: Int,
        usesTemplates: Bool
    ) {
        self.stream = stream
        self.name = name
        self.observer = observer
        window = [UInt8](repeating: 0, count: windowSize)
        scanner = RowScanner(usesTemplates: usesTemplates)
    }

    /// Bytes of the document that were read so far.
    public var bytesRead: Int { offset + filled }
    /// Children of the root element so far, itself included.
    public var rowCount: Int { scanner.position }
    /// What was odd so far.
    public var oddities: ScanOddities { scanner.oddities }
    /// How often each element occurred so far.
    public var census: Census { scanner.census }

    /// Reads on for about a window.
    ///
    /// - Returns: false at the end of the document.
    /// - Throws: `ExportError` with the place in the document.
    public mutating func advance<Sink: RowSink>(into sink: inout Sink) throws(ExportError) -> Bool {
        do {
            try fill()
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

    private mutating func fill() throws(ExportError) {
        while !atEnd, filled < window.count {
            let count = try Self.read(stream, into: &window, from: filled)
            if count == 0 { atEnd = true }
            Self.show(window, filled..<(filled + count), to: &observer)
            filled += count
        }
    }

    private static func read(
        _ stream: any ByteStream, into window: inout [UInt8], from start: Int
    ) throws(ExportError) -> Int {
        var span = window.mutableSpan
        return try stream.read(into: &span, start..<span.count)
    }

    private static func show(_ window: [UInt8], _ range: Range<Int>, to observer: inout any DocumentObserver)
    {
        observer.observe(window.span.extracting(range))
    }

    private mutating func readPrologue<Sink: RowSink>(into sink: inout Sink) throws(ExportError) {
        guard filled > 0 else { throw ExportError(.empty) }
        guard let (prologue, tag) = try Self.opening(window.span.extracting(0..<filled), atEnd: atEnd) else {
            try grow()
            return
        }
        self.prologue = prologue.bytes
        documentTypeVersion = prologue.version
        Self.takeRoot(window, tag, &scanner, into: &sink)
        stage = tag.isEmpty ? .epilogue : .rows
        drop(tag.end)
    }

    // These take the window beside what reads it, so that no access covers both.

    private static func takeRoot<Sink: RowSink>(
        _ window: [UInt8], _ tag: StartTag, _ scanner: inout RowScanner, into sink: inout Sink
    ) {
        scanner.takeRoot(window.span, tag, into: &sink)
    }

    private static func scan<Sink: RowSink>(
        _ window: [UInt8], _ range: Range<Int>, _ scanner: inout RowScanner, offset: Int, atEnd: Bool,
        into sink: inout Sink
    ) throws(ExportError) -> RowScanner.Stop {
        try scanner.scan(window.span.extracting(range), offset: offset, atEnd: atEnd, into: &sink)
    }

    /// The prologue and the root's start tag, nil where the window ends inside them.
    private static func opening(
        _ bytes: Span<UInt8>, atEnd: Bool
    ) throws(ExportError) -> (Prologue, StartTag)? {
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

    private mutating func readRows<Sink: RowSink>(into sink: inout Sink) throws(ExportError) {
        let stop = try Self.scan(
            window, 0..<filled, &scanner, offset: offset, atEnd: atEnd, into: &sink)
        if stop.isFinished {
            stage = .epilogue
        } else if atEnd {
            // The root element was not closed.
            throw ExportError(.truncated, offset: offset + stop.consumed, element: "HealthData")
        } else if stop.consumed == 0 {
            try grow()
        }
        drop(stop.consumed)
    }

    /// Behind the root element there may be comments and white space.
    private mutating func readEpilogue() throws(ExportError) {
        let end = try Self.endOfEpilogue(window.span.extracting(0..<filled), offset: offset, atEnd: atEnd)
        if end == 0, filled > 0 { try grow() }
        drop(end)
        if atEnd, filled == 0 { stage = .done }
    }

    private static func endOfEpilogue(_ bytes: Span<UInt8>, offset: Int, atEnd: Bool) throws(ExportError)
        -> Int
    {
        var index = 0
        while index < bytes.count {
            if MarkupReader.isSpace(bytes[index]) {
                index += 1
                continue
            }
            let next: Int
            do { next = try MarkupReader.skipOther(bytes, at: index) } catch {
                if error == .needsMore, !atEnd { return index }
                throw ExportError(.malformed(.contentAfterEnd), offset: offset + index)
            }
            guard !MarkupReader.isCDATA(bytes, at: index) else {
                throw ExportError(.malformed(.contentAfterEnd), offset: offset + index)
            }
            index = next
        }
        return index
    }

    /// Forgets bytes at the start of the window.
    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        let rest = filled - count
        Self.move(&window, from: count..<filled)
        offset += count
        filled = rest
    }

    private static func move(_ window: inout [UInt8], from range: Range<Int>) {
        var span = window.mutableSpan
        span.move(range, to: 0)
    }

    /// Makes room for an element that does not fit the window.
    private mutating func grow() throws(ExportError) {
        guard filled == window.count else { return }
        guard window.count < Self.longestElement else { throw ExportError(.elementTooLarge, offset: offset) }
        window.append(contentsOf: repeatElement(0, count: window.count))
    }
}

@available(*, unavailable)
extension DocumentReader: Sendable {}

/// Sees the bytes of a document as they are read.
public protocol DocumentObserver {
    /// Sees the next bytes.
    mutating func observe(_ bytes: Span<UInt8>)
}

/// Looks away.
public struct NoObserver: DocumentObserver, Sendable {
    /// Makes one.
    public init() {}
    /// Does nothing.
    public mutating func observe(_ bytes: Span<UInt8>) {}
}
