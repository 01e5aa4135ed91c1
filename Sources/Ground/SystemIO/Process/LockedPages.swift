import Glibc
import Synchronization

/// Memory for secrets: locked against swapping, left out of core dumps, and zeroed before it is freed.
///
/// The lock is best effort: if the limit on locked memory is reached, the pages still stay out of core dumps.
@safe public struct LockedPages: ~Copyable, @unchecked Sendable {
    // @unchecked: the pages belong to this value alone; reading is shared, writing needs exclusive access.
    private let address: UnsafeMutableRawPointer
    private let length: Int
    /// Usable bytes.
    public let count: Int

    private static let page = 4096

    /// Allocates `count` zero bytes.
    ///
    /// - Throws: `SystemError` if there is no memory.
    public init(count: Int) throws(SystemError) {
        let length = max(Self.page, (count + Self.page - 1) / Self.page * Self.page)
        self.length = length
        self.count = count
        if length == Self.page, let known = unsafe FreePages.take() {
            unsafe address = known
            return
        }
        let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
            throw SystemError(call: .mmap, path: "", number: errno)
        }
        unsafe mlock(mapped, length)
        unsafe madvise(mapped, length, MADV_DONTDUMP)
        unsafe address = mapped
    }

    deinit {
        unsafe explicit_bzero(address, length)
        let isKept = unsafe length == Self.page && FreePages.keep(address)
        if !isKept { unsafe munmap(address, length) }
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

/// A few single pages that were wiped, to be used again: to have one locked takes four calls of the system and a fault, and
/// opening an archive needs a dozen, most of them for a moment.
private enum FreePages {
    private struct State {
        /// The process that locked the pages: in a child they are copies, and not locked.
        var process: pid_t = 0
        /// Their addresses.
        var pages: [UInt] = []
    }

    private static let most = 8
    private static let state = Mutex(State())

    // Never waited for: a child may have been forked while another thread had the lock.

    static func take() -> UnsafeMutableRawPointer? {
        let page = state.withLockIfAvailable { state in
            state.process == getpid() ? state.pages.popLast() : nil
        }
        return unsafe UnsafeMutableRawPointer(bitPattern: page.flatMap(\.self) ?? 0)
    }

    /// Keeps a page that is all zeros; returns false if there are enough.
    @unsafe
    static func keep(_ page: UnsafeMutableRawPointer) -> Bool {
        let address = UInt(bitPattern: page)
        let isKept = state.withLockIfAvailable { state in
            if state.process != getpid() { state = State(process: getpid()) }
            guard state.pages.count < most else { return false }
            state.pages.append(address)
            return true
        }
        return isKept ?? false
    }
}
