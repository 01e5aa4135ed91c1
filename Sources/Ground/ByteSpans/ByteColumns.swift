import Glibc

/// Columns of bytes that grow in parallel, for a table that is written row by row.
///
/// An array of arrays would take five times the work for each value.
@safe
public struct ByteColumns: ~Copyable, @unchecked Sendable {
    // @unchecked: the memory belongs to this value alone.

    @unsafe
    @usableFromInline
    struct Column: @unchecked Sendable {
        @usableFromInline var base: UnsafeMutablePointer<UInt8>
        @usableFromInline var count: Int
        @usableFromInline var capacity: Int
    }

    @usableFromInline var columns: UnsafeMutablePointer<Column>
    /// Number of columns that have memory, whether or not they are in use.
    private var allocated = 0
    private var room = 0
    /// Number of columns.
    public private(set) var count = 0

    /// Initial capacity of a column in bytes.
    private static let usual = 1 << 12
    /// Number of columns with this capacity: in a table with more, many are almost empty.
    private static let usualColumns = 64
    private static let smallest = 1 << 6

    /// Creates a table without columns.
    public init() { unsafe columns = .allocate(capacity: 0) }

    deinit {
        for number in 0..<allocated { unsafe free(columns[number].base) }
        unsafe columns.deallocate()
    }

    /// Starts over with `count` empty columns, reusing the memory of earlier ones.
    public mutating func removeAll(count: Int) {
        if count > room {
            let larger = UnsafeMutablePointer<Column>.allocate(capacity: count)
            unsafe larger.moveInitialize(from: columns, count: allocated)
            unsafe columns.deallocate()
            unsafe columns = larger
            room = count
        }
        while allocated < count {
            let size = allocated < Self.usualColumns ? Self.usual : Self.smallest
            let base = unsafe Self.memory(nil, size)
            unsafe (columns + allocated).initialize(to: Column(base: base, count: 0, capacity: size))
            allocated += 1
        }
        self.count = count
        for number in 0..<count { unsafe columns[number].count = 0 }
    }

    @unsafe
    private static func memory(
        _ old: UnsafeMutablePointer<UInt8>?, _ size: Int
    ) -> UnsafeMutablePointer<UInt8> {
        guard let new = unsafe realloc(old, size) else { fatalError("out of memory") }
        return unsafe new.assumingMemoryBound(to: UInt8.self)
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ number: Int, _ needed: Int) {
        let capacity = unsafe max(columns[number].capacity * 2, columns[number].count + needed)
        unsafe columns[number].base = unsafe Self.memory(columns[number].base, capacity)
        unsafe columns[number].capacity = capacity
    }

    /// Returns where the next bytes of a column go, after making room for `needed` bytes.
    @unsafe
    @inlinable
    @inline(__always)
    mutating func place(_ number: Int, _ needed: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(number >= 0 && number < count, "a column")
        if unsafe columns[number].capacity - columns[number].count < needed { grow(number, needed) }
        return unsafe columns[number].base + columns[number].count
    }

    /// Appends a range of bytes, followed by one more byte.
    @inlinable
    @inline(__always)
    public mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>, _ last: UInt8, to number: Int) {
        let length = range.count
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range of the bytes")
        let target = unsafe place(number, max(length, 16) + 1)
        unsafe bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe RawBytes.copy(
                UnsafeMutableRawPointer(target), base + range.lowerBound,
                available: source.count - range.lowerBound, length)
        }
        unsafe target[length] = last
        unsafe columns[number].count += length + 1
    }

    /// Appends an integer in decimal, followed by a byte.
    @inlinable
    @inline(__always)
    public mutating func append(_ value: Int, _ last: UInt8, to number: Int) {
        // At most twenty digits, the sign, and the byte after them.
        let target = unsafe place(number, 22)
        if value >= 0, value < 10 {
            unsafe target[0] = 0x30 + UInt8(truncatingIfNeeded: value)
            unsafe target[1] = last
            unsafe columns[number].count += 2
            return
        }
        var length = 0
        if value < 0 {
            unsafe target[0] = 0x2d
            length = 1
        }
        unsafe length += Decimal.write(value.magnitude, to: target + length)
        unsafe target[length] = last
        unsafe columns[number].count += length + 1
    }

    /// Number of bytes in all columns.
    public var byteCount: Int {
        var sum = 0
        for number in 0..<count { unsafe sum += columns[number].count }
        return sum
    }

    /// Calls `body` with the bytes of a column and returns its result.
    public func withBytes<Result>(of number: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        precondition(number >= 0 && number < count, "a column")
        let column = unsafe UnsafeBufferPointer(start: columns[number].base, count: columns[number].count)
        return body(unsafe column.span)
    }
}
