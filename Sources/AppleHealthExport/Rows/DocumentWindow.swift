import ByteSpans

/// A piece of a document in memory, with room in front for what was left of the piece before.
///
/// It is an object, so that it goes from the task that fills it to the one that reads it without being copied.
final class DocumentWindow: @unchecked Sendable {
    // @unchecked: it belongs to one task at a time, the one that fills it or the one that reads it.
    private(set) var bytes: [UInt8]
    /// The bytes that were read and not yet used.
    private(set) var filled: Range<Int>
    /// Nothing follows in the document.
    private(set) var isLast = false
    /// Why what follows could not be read.
    private(set) var failure: ExportError?

    private let headroom: Int

    /// An empty window for `size` bytes, and so many more in front of them.
    init(size: Int, headroom: Int) {
        self.headroom = headroom
        bytes = [UInt8](repeating: 0, count: headroom + size)
        filled = headroom..<headroom
    }

    /// Reads the next piece of the document.
    func fill(from stream: any ByteStream, _ observer: inout any DocumentObserver) {
        filled = headroom..<headroom
        do throws(ExportError) {
            while filled.upperBound < bytes.count {
                let count = try Self.read(stream, into: &bytes, from: filled.upperBound)
                if count == 0 {
                    isLast = true
                    return
                }
                let new = filled.upperBound..<(filled.upperBound + count)
                Self.show(bytes, new, to: &observer)
                filled = filled.lowerBound..<new.upperBound
            }
        } catch { failure = error }
    }

    /// Takes what is left of the window before in front of its own bytes; false where it has no room for it.
    func take(restOf other: DocumentWindow) -> Bool {
        let count = other.filled.count
        guard count <= headroom else { return false }
        Self.copy(other.bytes, other.filled, into: &bytes, at: filled.lowerBound - count)
        filled = (filled.lowerBound - count)..<filled.upperBound
        return true
    }

    /// Takes the bytes of the next window behind its own, however many these are.
    func append(_ next: DocumentWindow) {
        bytes.removeSubrange(filled.upperBound...)
        bytes.removeSubrange(..<filled.lowerBound)
        bytes += next.bytes[next.filled]
        filled = 0..<bytes.count
        isLast = next.isLast
        failure = next.failure
    }

    /// Forgets bytes at the start.
    func drop(_ count: Int) { filled = (filled.lowerBound + count)..<filled.upperBound }

    private static func read(
        _ stream: any ByteStream, into bytes: inout [UInt8], from start: Int
    ) throws(ExportError) -> Int {
        var span = bytes.mutableSpan
        return try stream.read(into: &span, start..<span.count)
    }

    private static func show(_ bytes: [UInt8], _ range: Range<Int>, to observer: inout any DocumentObserver) {
        observer.observe(bytes.span.extracting(range))
    }

    private static func copy(_ source: [UInt8], _ range: Range<Int>, into target: inout [UInt8], at place: Int)
    {
        var span = target.mutableSpan
        span.copy(source.span.extracting(range), to: place)
    }
}

/// Fills windows with the pieces of a document, one after the other.
final class WindowFiller: @unchecked Sendable {
    // @unchecked: windows are filled one after the other, each in a task that is awaited before the next.
    private let stream: any ByteStream
    private var observer: any DocumentObserver

    init(_ stream: any ByteStream, _ observer: any DocumentObserver) {
        self.stream = stream
        self.observer = observer
    }

    func fill(_ window: DocumentWindow) -> DocumentWindow {
        window.fill(from: stream, &observer)
        return window
    }
}
