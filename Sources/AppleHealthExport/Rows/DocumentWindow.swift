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

    /// What is left of a window is mostly just too short to be sure that it holds an element.
    static let headroom = 2 * RowScanner.lookahead

    /// An empty window for `size` bytes, and some more in front of them.
    init(size: Int) {
        bytes = [UInt8](repeating: 0, count: Self.headroom + size)
        filled = Self.headroom..<Self.headroom
    }

    /// Forgets all bytes.
    func removeAll() { filled = Self.headroom..<Self.headroom }

    /// Forgets bytes at the start.
    func drop(_ count: Int) { filled = (filled.lowerBound + count)..<filled.upperBound }

    /// Reads the next `count` bytes of the document behind those that are here.
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
                Self.show(bytes, new, to: &observer)
                filled = filled.lowerBound..<new.upperBound
            }
        } catch {
            failure = error
            // What was cut off is read as far as it goes.
            isLast = error.code == .truncated
        }
    }

    /// Takes what is left of the window before in front of its own bytes; false where it has no room for it.
    func take(restOf other: DocumentWindow) -> Bool {
        let count = other.filled.count
        guard count <= filled.lowerBound else { return false }
        Self.copy(other.bytes, other.filled, into: &bytes, at: filled.lowerBound - count)
        filled = (filled.lowerBound - count)..<filled.upperBound
        return true
    }

    /// Takes the bytes of the next window behind its own, however many these are.
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

    // These take the bytes beside what is done with them, so that no access covers both.

    private static func read(
        _ stream: any ByteStream, into bytes: inout [UInt8], _ range: Range<Int>
    ) throws(ExportError) -> Int {
        var span = bytes.mutableSpan
        return try stream.read(into: &span, range)
    }

    private static func show(_ bytes: [UInt8], _ range: Range<Int>, to observer: inout any DocumentObserver) {
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
