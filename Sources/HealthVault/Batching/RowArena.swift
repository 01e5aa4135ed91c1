/// The memory of all open batches: one block, handed out in small pieces, so that it neither grows nor crumbles.
struct RowArena: Sendable {
    /// Bytes in a piece.
    static let pieceSize = 1 << 10

    private var bytes: [UInt8]
    private var free: [Int32]
    /// Number of pieces.
    let pieceCount: Int

    init(size: Int) {
        pieceCount = max(64, size / Self.pieceSize)
        bytes = [UInt8](repeating: 0, count: pieceCount * Self.pieceSize)
        free = (0..<Int32(pieceCount)).reversed()
    }

    /// Pieces that nobody has.
    var freeCount: Int { free.count }

    /// Pieces that so many bytes need.
    static func pieces(for count: Int) -> Int { (count + pieceSize - 1) / pieceSize }

    /// A run of bytes in pieces of the arena.
    struct Run: Sendable {
        fileprivate var pieces: [Int32] = []
        /// Bytes in the run.
        fileprivate(set) var count = 0

        /// Pieces that the run needs for `more` bytes.
        func missing(for more: Int) -> Int {
            RowArena.pieces(for: count + more) - pieces.count
        }

        var pieceCount: Int { pieces.count }
    }

    /// Appends bytes to a run; there must be enough free pieces.
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
            for index in 0..<part { bytes[start + index] = source[done + index] }
            done += part
            run.count += part
        }
    }

    /// The bytes at a place of a run are exactly `bytes`.
    func matches(_ run: Run, at offset: Int, _ bytes: [UInt8]) -> Bool {
        guard offset + bytes.count <= run.count else { return false }
        var place = offset
        for byte in bytes {
            let piece = Int(run.pieces[place / Self.pieceSize])
            guard self.bytes[piece * Self.pieceSize + place % Self.pieceSize] == byte else { return false }
            place += 1
        }
        return true
    }

    /// The bytes of a run, whose pieces are free again.
    mutating func take(_ run: consuming Run) -> [UInt8] {
        let count = run.count
        let taken = [UInt8](capacity: count) { (output: inout OutputSpan<UInt8>) in
            var rest = count
            for piece in run.pieces {
                let start = Int(piece) * Self.pieceSize
                let part = min(rest, Self.pieceSize)
                for index in start..<(start + part) { output.append(bytes[index]) }
                rest -= part
            }
        }
        free.append(contentsOf: run.pieces)
        return taken
    }
}
