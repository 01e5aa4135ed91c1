import Glibc

/// Columns of texts that grow in parallel, for a table that is written row by row.
///
/// Each value is followed by a comma. Values lie in pieces of memory that never move, so that a column grows without being
/// copied, and takes little more room than its text. A value that may repeat the one before it is only counted: `7,[3],8` is
/// 7 four times, and then 8.
@safe
public struct ByteColumns: ~Copyable, @unchecked Sendable {
    // @unchecked: the memory belongs to this value alone, and is only read once `ColumnTexts` shares it.

    /// The start of a piece; its bytes follow.
    @unsafe
    @usableFromInline
    struct Piece: @unchecked Sendable {
        var next: UnsafeMutablePointer<Piece>?
        /// Number of bytes in it, once another piece follows.
        var count: Int32
        var capacity: Int32

        // The memory of a piece with its start, as much as the C library hands out without a rest.
        static let smallest = 56
        static let largest = 4088
    }

    @unsafe
    @usableFromInline
    struct Column: @unchecked Sendable {
        /// Where the next value goes.
        @usableFromInline var place: UnsafeMutablePointer<UInt8>
        /// The last value, if it is a number.
        @usableFromInline var lastNumber = 0
        /// Number of bytes left in the last piece.
        @usableFromInline var room: Int32
        /// Number of bytes of the last value, with its comma.
        @usableFromInline var lastCount: Int32 = 0
        /// How often the last value follows once more, without being written.
        @usableFromInline var repeats: Int32 = 0
        var first: UnsafeMutablePointer<Piece>
        var last: UnsafeMutablePointer<Piece>
        /// Number of bytes in the pieces before the last.
        var earlier = 0
    }

    @usableFromInline var columns: UnsafeMutablePointer<Column>?
    private var capacity = 0
    /// Number of columns.
    public private(set) var count = 0

    /// Creates a table without columns.
    public init() { unsafe columns = nil }

    deinit {
        guard let columns = unsafe columns else { return }
        for number in 0..<count { unsafe Self.release(columns[number].first) }
        unsafe free(columns)
    }

    @unsafe
    private static func release(_ first: UnsafeMutablePointer<Piece>) {
        var next: UnsafeMutablePointer<Piece>? = unsafe first
        while let piece = unsafe next {
            unsafe next = piece.pointee.next
            unsafe free(piece)
        }
    }

    /// Adds empty columns until there are `count`.
    public mutating func extend(to count: Int) {
        guard count > self.count else { return }
        if count > capacity {
            capacity = max(count, 2 * capacity)
            let size = unsafe capacity * MemoryLayout<Column>.stride
            unsafe columns = Self.memory(columns, size).assumingMemoryBound(to: Column.self)
        }
        while self.count < count {
            let piece = unsafe Self.piece(Piece.smallest - MemoryLayout<Piece>.size)
            unsafe columns?.advanced(by: self.count).initialize(
                to: Column(
                    place: Self.bytes(of: piece), room: piece.pointee.capacity, first: piece, last: piece))
            self.count += 1
        }
    }

    @unsafe
    private static func memory(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer {
        guard let new = unsafe realloc(old, size) else { fatalError("out of memory") }
        return unsafe new
    }

    @unsafe
    private static func piece(_ capacity: Int) -> UnsafeMutablePointer<Piece> {
        let piece = unsafe memory(nil, MemoryLayout<Piece>.size + capacity).assumingMemoryBound(
            to: Piece.self)
        unsafe piece.initialize(to: Piece(next: nil, count: 0, capacity: Int32(capacity)))
        return unsafe piece
    }

    @unsafe
    private static func bytes(of piece: UnsafeMutablePointer<Piece>) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(piece + 1).assumingMemoryBound(to: UInt8.self)
    }

    /// Continues a column in another piece.
    @unsafe
    @usableFromInline
    @inline(never)
    static func grow(_ column: inout Column, _ needed: Int) {
        let last = unsafe column.last
        unsafe last.pointee.count = last.pointee.capacity - column.room
        unsafe column.earlier += Int(last.pointee.count)
        // Little more than before, so that what is left free in a column is a small part of it.
        let size = unsafe 5 * (Int(last.pointee.capacity) + MemoryLayout<Piece>.size) / 4
        let whole = unsafe min((size + 8 + 15) & ~15 - 8, Piece.largest)
        let next = unsafe piece(max(whole - MemoryLayout<Piece>.size, needed))
        unsafe last.pointee.next = next
        unsafe column.last = next
        unsafe column.place = bytes(of: next)
        unsafe column.room = next.pointee.capacity
    }

    /// Returns a column with room for `needed` bytes, without repetitions that wait to be written.
    @unsafe
    @inlinable
    @inline(__always)
    func column(_ number: Int, _ needed: Int) -> UnsafeMutablePointer<Column> {
        precondition(number >= 0 && number < count, "a column")
        guard let column = unsafe columns?.advanced(by: number) else { fatalError("a column") }
        if unsafe column.pointee.repeats > 0 { unsafe Self.writeRepeats(&column.pointee) }
        if unsafe Int(column.pointee.room) < needed { unsafe Self.grow(&column.pointee, needed) }
        return unsafe column
    }

    @unsafe
    @inlinable
    @inline(__always)
    static func finish(_ column: UnsafeMutablePointer<Column>, _ length: Int) {
        unsafe column.pointee.place[length] = 0x2c
        unsafe column.pointee.place += length + 1
        unsafe column.pointee.lastCount = Int32(truncatingIfNeeded: length + 1)
        unsafe column.pointee.room -= column.pointee.lastCount
    }

    /// Appends values.
    ///
    /// - Parameter range: Returns the range of a value in the bytes.
    @inlinable
    @inline(__always)
    public mutating func append(
        _ count: Int, of bytes: Span<UInt8>, to number: Int, _ range: (Int) -> Range<Int>
    ) {
        for row in 0..<count {
            let range = range(row)
            let length = range.count
            precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range of the bytes")
            let column = unsafe column(number, length + 1)
            unsafe bytes.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                let target = unsafe UnsafeMutableRawPointer(column.pointee.place)
                if unsafe column.pointee.room >= 16 {
                    unsafe RawBytes.copy(
                        target, base + range.lowerBound, available: source.count - range.lowerBound, length)
                } else {
                    unsafe RawBytes.copy(target, base + range.lowerBound, length)
                }
            }
            unsafe Self.finish(column, length)
        }
    }

    /// Appends numbers in decimal.
    @inlinable
    @inline(__always)
    public mutating func append(_ values: Span<Int>, to number: Int) {
        guard values.count > 0 else { return }
        let column = unsafe column(number, 0)
        var place = unsafe column.pointee.place
        var room = unsafe Int(column.pointee.room)
        var length = 0
        for row in values.indices {
            let value = values[row]
            let sign = value < 0 ? 1 : 0
            if room < Decimal.mostDigits + 2 {
                // Where little room is left, no more is taken than this number needs.
                let needed = sign + Decimal.digits(in: value.magnitude) + 1
                if room < needed {
                    unsafe (column.pointee.place, column.pointee.room) = (
                        place, Int32(truncatingIfNeeded: room)
                    )
                    unsafe Self.grow(&column.pointee, needed)
                    unsafe (place, room) = (column.pointee.place, Int(column.pointee.room))
                }
            }
            if sign > 0 { unsafe place[0] = UInt8(ascii: "-") }
            length = unsafe sign + Decimal.write(value.magnitude, to: place + sign) + 1
            unsafe place[length - 1] = 0x2c
            unsafe place += length
            room -= length
        }
        unsafe (column.pointee.place, column.pointee.room) = (place, Int32(truncatingIfNeeded: room))
        unsafe column.pointee.lastCount = Int32(truncatingIfNeeded: length)
        unsafe column.pointee.lastNumber = values[values.count - 1]
    }

    /// Appends a number so many times to a column of numbers that often repeat.
    @inlinable
    @inline(__always)
    public mutating func append(repetitive value: Int, times: Int = 1, to number: Int) {
        guard times > 0 else { return }
        precondition(number >= 0 && number < count, "a column")
        guard let column = unsafe columns?.advanced(by: number) else { return }
        if unsafe column.pointee.lastCount > 0 && column.pointee.lastNumber == value {
            unsafe column.pointee.repeats += Int32(times)
        } else {
            append(CollectionOfOne(value).span, to: number)
            unsafe column.pointee.repeats = Int32(times - 1)
        }
    }

    /// Appends a value between quotes that is often the same as the one before it.
    @inlinable
    @inline(__always)
    public mutating func append(
        repetitive bytes: Span<UInt8>, quoting range: Range<Int>, to number: Int
    ) {
        precondition(number >= 0 && number < count, "a column")
        guard let column = unsafe columns?.advanced(by: number) else { return }
        let length = range.count + 2
        if unsafe Int(column.pointee.lastCount) == length + 1 {
            let last = unsafe UnsafeRawPointer(column.pointee.place - (length + 1))
            let isSame =
                unsafe column.pointee.place[-length - 1] == UInt8(ascii: "\"")
                && bytes.extracting(range).withUnsafeBytes { source in
                    guard let base = source.baseAddress else { return true }
                    return unsafe RawBytes.equal(base, last + 1, source.count)
                }
            if isSame {
                unsafe column.pointee.repeats += 1
                return
            }
        }
        append(quoting: bytes, range, to: number)
    }

    /// Appends a value between quotes.
    @usableFromInline
    mutating func append(quoting bytes: Span<UInt8>, _ range: Range<Int>, to number: Int) {
        let column = unsafe column(number, range.count + 3)
        let target = unsafe column.pointee.place
        unsafe target[0] = UInt8(ascii: "\"")
        unsafe bytes.extracting(range).withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe RawBytes.copy(UnsafeMutableRawPointer(target + 1), base, source.count)
        }
        unsafe target[range.count + 1] = UInt8(ascii: "\"")
        unsafe Self.finish(column, range.count + 2)
    }

    /// Writes how often the last value is repeated, or the value so often if that is not longer.
    @unsafe
    @usableFromInline
    @inline(never)
    static func writeRepeats(_ column: inout Column) {
        let (length, repeats) = unsafe (Int(column.lastCount), Int(column.repeats))
        let digits = Decimal.digits(in: UInt(repeats))
        let isShort = length * repeats <= digits + 3
        let count = isShort ? length * repeats : digits + 3
        let value = unsafe column.place - length
        if unsafe Int(column.room) < count { unsafe grow(&column, count) }
        let place = unsafe column.place
        if isShort {
            for index in 0..<count { unsafe place[index] = value[index % length] }
        } else {
            unsafe place[0] = UInt8(ascii: "[")
            _ = unsafe Decimal.write(UInt(repeats), to: place + 1)
            unsafe place[digits + 1] = UInt8(ascii: "]")
            unsafe place[digits + 2] = UInt8(ascii: ",")
        }
        unsafe column.place += count
        unsafe column.room -= Int32(count)
        unsafe column.repeats = 0
        unsafe column.lastCount = 0
    }

    /// Returns the texts of all columns, without copying them, and removes the columns.
    public mutating func removeAll() -> ColumnTexts {
        for number in 0..<count {
            guard let column = unsafe columns?.advanced(by: number) else { break }
            if unsafe column.pointee.repeats > 0 { unsafe Self.writeRepeats(&column.pointee) }
            let last = unsafe column.pointee.last
            unsafe last.pointee.count = last.pointee.capacity - column.pointee.room
        }
        var columns = ByteColumns()
        swap(&columns, &self)
        return ColumnTexts(columns)
    }

    /// Returns the length of the text of a column, once nothing more is appended.
    func length(of number: Int) -> Int {
        precondition(number >= 0 && number < count, "a column")
        guard let column = unsafe columns?.advanced(by: number) else { return 0 }
        return unsafe column.pointee.earlier + Int(column.pointee.last.pointee.count)
    }

    /// Calls `body` with the pieces of a column, in order; none ends within a value, or within how often it is repeated.
    func forEachPiece(of number: Int, _ body: (_ bytes: Span<UInt8>) -> Void) {
        precondition(number >= 0 && number < count, "a column")
        guard let column = unsafe columns?.advanced(by: number) else { return }
        var next: UnsafeMutablePointer<Piece>? = unsafe column.pointee.first
        while let piece = unsafe next {
            let bytes = unsafe UnsafeBufferPointer(
                start: Self.bytes(of: piece), count: Int(piece.pointee.count))
            unsafe body(bytes.span)
            unsafe next = piece.pointee.next
        }
    }
}
