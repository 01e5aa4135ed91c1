import ByteSpans
import SampleBatches

/// The memory of all open batches: one block that is handed out in small pieces, so it neither grows nor fragments.
struct RowArena: Sendable {
    /// The size of a piece, in bytes.
    static let pieceSize = 1 << 10

    private var bytes: [UInt8]
    private var free: [Int32]
    /// The number of pieces.
    let pieceCount: Int

    init(size: Int) {
        pieceCount = max(64, size / Self.pieceSize)
        bytes = [UInt8](repeating: 0, count: pieceCount * Self.pieceSize)
        free = (0..<Int32(pieceCount)).reversed()
    }

    /// The number of free pieces.
    var freeCount: Int { free.count }

    /// Returns the number of pieces that `count` bytes need.
    static func pieces(for count: Int) -> Int { (count + pieceSize - 1) / pieceSize }

    /// A run of bytes in pieces of the arena.
    struct Run: Sendable {
        fileprivate var pieces: [Int32] = []
        /// The number of bytes in the run.
        fileprivate(set) var count = 0

        /// Returns the number of additional pieces that the run needs for `more` bytes.
        func missing(for more: Int) -> Int {
            RowArena.pieces(for: count + more) - pieces.count
        }

        var pieceCount: Int { pieces.count }

        /// Sets the number of bytes to include those written directly to the last piece.
        mutating func extend(to count: Int) { self.count = count }
    }

    /// Returns the arena offset of the next byte of a run, and the room left in its last piece.
    func tail(of run: Run) -> (place: Int, room: Int) {
        let room = run.pieces.count * Self.pieceSize - run.count
        guard room > 0, let piece = run.pieces.last else { return (0, 0) }
        return ((Int(piece) + 1) * Self.pieceSize - room, room)
    }

    /// Writes a row at an offset, in a piece that has room for it.
    @inline(__always)
    mutating func put(
        kind: Int, content: Int, step: Int, _ values: Span<UInt8>, at place: inout Int
    ) {
        var target = bytes.mutableSpan
        Varint.put(kind, into: &target, at: &place)
        Varint.put(content, into: &target, at: &place)
        Varint.put(step, into: &target, at: &place)
        Varint.put(values.count, into: &target, at: &place)
        target.copy(values, to: place)
        place += values.count
    }

    /// Appends bytes to a run; enough pieces must be free.
    mutating func append(_ source: Span<UInt8>, to run: inout Run) {
        var done = 0
        while done < source.count {
            let used = run.count & (Self.pieceSize - 1)
            if used == 0, run.pieces.count * Self.pieceSize == run.count {
                guard let piece = free.popLast() else { preconditionFailure("room was made before") }
                run.pieces.append(piece)
            }
            let part = min(source.count - done, Self.pieceSize - used)
            let start = Int(run.pieces[run.pieces.count - 1]) * Self.pieceSize + used
            copy(source.extracting(done..<(done + part)), to: start)
            done += part
            run.count += part
        }
    }

    private mutating func copy(_ source: Span<UInt8>, to place: Int) {
        var target = bytes.mutableSpan
        target.copy(source, to: place)
    }

    /// Returns whether the bytes of a run at an offset equal `bytes`.
    func matches(_ run: Run, at offset: Int, _ bytes: [UInt8]) -> Bool {
        guard offset + bytes.count <= run.count else { return false }
        var done = 0
        while done < bytes.count {
            let place = offset + done
            let used = place & (Self.pieceSize - 1)
            let part = min(bytes.count - done, Self.pieceSize - used)
            let start = Int(run.pieces[place / Self.pieceSize]) * Self.pieceSize + used
            guard self.bytes.span.matches(at: start, bytes.span, done..<(done + part)) else { return false }
            done += part
        }
        return true
    }

    /// Returns the bytes of a run, and frees its pieces.
    mutating func remove(_ run: consuming Run) -> [UInt8] {
        let count = run.count
        let taken = [UInt8](capacity: count) { (output: inout OutputSpan<UInt8>) in
            var rest = count
            for piece in run.pieces {
                let start = Int(piece) * Self.pieceSize
                let part = min(rest, Self.pieceSize)
                output.append(copying: bytes.span.extracting(start..<(start + part)))
                rest -= part
            }
        }
        free.append(contentsOf: run.pieces)
        return taken
    }
}
