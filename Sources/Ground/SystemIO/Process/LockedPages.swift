import Glibc

/// Memory for secrets: locked against swapping, left out of core dumps, and zeroed before it is freed.
///
/// The lock is best effort: if the limit on locked memory is reached, the pages still stay out of core dumps.
@safe public struct LockedPages: ~Copyable, @unchecked Sendable {
    // @unchecked: the pages belong to this value alone; reading is shared, writing needs exclusive access.
    private let address: UnsafeMutableRawPointer
    private let length: Int
    /// Usable bytes.
    public let count: Int

    /// Allocates `count` zero bytes.
    ///
    /// - Throws: `SystemError` if there is no memory.
    public init(count: Int) throws(SystemError) {
        let page = 4096
        let length = max(page, (count + page - 1) / page * page)
        let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
            throw SystemError(call: .mmap, path: "", number: errno)
        }
        unsafe mlock(mapped, length)
        unsafe madvise(mapped, length, MADV_DONTDUMP)
        unsafe address = mapped
        self.length = length
        self.count = count
    }

    deinit {
        unsafe explicit_bzero(address, length)
        unsafe munmap(address, length)
    }

    /// Calls `body` with the bytes, for reading.
    public func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = unsafe UnsafeBufferPointer(
            start: address.assumingMemoryBound(to: UInt8.self), count: count)
        return try body(unsafe buffer.span)
    }

    /// Calls `body` with the bytes, for changing them.
    public mutating func withMutableSpan<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = unsafe address.assumingMemoryBound(to: UInt8.self)
        let buffer = unsafe UnsafeMutableBufferPointer(start: start, count: count)
        var span = unsafe buffer.mutableSpan
        return try body(&span)
    }
}
