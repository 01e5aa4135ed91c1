import ByteText

/// A piece of a document in memory, with room in front for the rest of the previous piece.
///
/// A class, so that the task that fills it can pass it to the task that reads it without a copy.
final class DocumentWindow: @unchecked Sendable {
    // @unchecked: it belongs to one task at a time, either the one that fills it or the one that reads it.
    private(set) var bytes: [UInt8]
    /// The range of bytes read from the stream but not yet used.
    private(set) var filled: Range<Int>
    /// Whether the document ends with this window.
    private(set) var isLast = false
    /// The error that prevented reading further bytes.
    private(set) var failure: ExportError?

    /// The room in front, in bytes.
    ///
    /// The rest of a window is usually just too short to be sure of containing a whole element.
    static let headroom = 2 * RowScanner.lookahead

    /// Makes an empty window for `size` bytes, with headroom in front.
    init(size: Int) {
        bytes = Self.room(for: size)
        filled = Self.headroom..<Self.headroom
    }

    private static func room(for size: Int) -> [UInt8] { [UInt8](repeating: 0, count: headroom + size) }

    /// Marks the bytes so far as the document's last.
    func endHere() { isLast = true }

    /// Removes all bytes; if it had to grow, it becomes as small again as a window for `size` bytes.
    func removeAll(size: Int) {
        filled = Self.headroom..<Self.headroom
        if bytes.count > Self.headroom + size { bytes = Self.room(for: size) }
    }

    /// Drops bytes from the start.
    func drop(_ count: Int) { filled = (filled.lowerBound + count)..<filled.upperBound }

    /// Reads the next `count` bytes of the document and appends them.
    func fill(_ count: Int, from stream: any ByteStream, _ observer: inout any DocumentObserver) {
        makeRoom(count)
        let end = filled.upperBound + count
        do throws(ExportError) {
            while filled.upperBound < end {
                let count = try Self.read(stream, into: &bytes, filled.upperBound..<end)
                if count == 0 {
                    isLast = true
                    return
                }
                let new = filled.upperBound..<(filled.upperBound + count)
                Self.notify(bytes, new, to: &observer)
                filled = filled.lowerBound..<new.upperBound
            }
        } catch {
            failure = error
            // A truncated document is read as far as it goes.
            isLast = error.code == .truncated
        }
    }

    /// Prepends the rest of the previous window, or returns false if there is no room for it.
    func prepend(restOf other: DocumentWindow) -> Bool {
        let count = other.filled.count
        guard count <= filled.lowerBound else { return false }
        Self.copy(other.bytes, other.filled, into: &bytes, at: filled.lowerBound - count)
        filled = (filled.lowerBound - count)..<filled.upperBound
        return true
    }

    /// Appends the bytes of the next window, however many there are.
    func append(_ next: DocumentWindow) {
        makeRoom(next.filled.count)
        Self.copy(next.bytes, next.filled, into: &bytes, at: filled.upperBound)
        filled = filled.lowerBound..<(filled.upperBound + next.filled.count)
        isLast = next.isLast
        failure = next.failure
    }

    private func makeRoom(_ count: Int) {
        guard bytes.count - filled.upperBound < count else { return }
        Self.move(&bytes, filled)
        filled = 0..<filled.count
        let missing = count - (bytes.count - filled.upperBound)
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: max(missing, bytes.count))) }
    }

    // These are static and take the bytes as an argument, so that no exclusive access covers both the bytes and the
    // code that uses them.

    private static func read(
        _ stream: any ByteStream, into bytes: inout [UInt8], _ range: Range<Int>
    ) throws(ExportError) -> Int {
        var span = bytes.mutableSpan
        return try stream.read(into: &span, range)
    }

    private static func notify(_ bytes: [UInt8], _ range: Range<Int>, to observer: inout any DocumentObserver)
    {
        observer.observe(bytes.span.extracting(range))
    }

    private static func copy(
        _ source: [UInt8], _ range: Range<Int>, into target: inout [UInt8], at place: Int
    ) {
        var span = target.mutableSpan
        span.copy(source.span.extracting(range), to: place)
    }

    private static func move(_ bytes: inout [UInt8], _ range: Range<Int>) {
        var span = bytes.mutableSpan
        span.move(range, to: 0)
    }
}
