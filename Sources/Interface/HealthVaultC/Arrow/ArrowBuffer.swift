import Glibc

/// Memory of an Arrow array, aligned as Arrow recommends.
///
/// Each array owns its own: a consumer may release one and keep the others.
@safe final class ArrowBuffer: @unchecked Sendable {
    // @unchecked: only its maker writes to it, before anybody else has it.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var byteCount = 0

    /// The alignment that Arrow recommends for vector instructions, in bytes.
    private static let alignment = 64

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))
    /// From how many bytes on pages are provided at once.
    private static let leastPopulated = 1 << 14

    /// Makes an empty buffer that grows.
    init() {
        capacity = Self.alignment
        unsafe memory = Self.allocate(capacity)
    }

    deinit { unsafe free(memory) }

    @unsafe private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        var memory: UnsafeMutableRawPointer?
        let status = unsafe posix_memalign(&memory, alignment, byteCount)
        guard status == 0, let memory = unsafe memory else { fatalError("out of memory") }
        return unsafe memory
    }

    /// Makes room for more elements.
    func reserve<Element: BitwiseCopyable>(_ count: Int, of _: Element.Type) {
        let (bytes, isBeyond) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        let (needed, isFar) = byteCount.addingReportingOverflow(bytes)
        precondition(count >= 0 && !isBeyond && !isFar, "fits into memory")
        guard needed > capacity else { return }
        let larger = max(needed, 2 * capacity)
        let place = unsafe Self.allocate(larger)
        unsafe memcpy(place, memory, byteCount)
        unsafe free(memory)
        unsafe memory = place
        capacity = larger
    }

    /// Has the system provide the next bytes at once instead of page by page as they are written.
    private func populate(_ count: Int) {
        guard count >= Self.leastPopulated else { return }
        let first = unsafe Int(bitPattern: memory) + byteCount
        let start = first & -Self.pageSize
        guard let pages = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
        // A system that can't writes them page by page.
        unsafe madvise(pages, first - start + count, MADV_POPULATE_WRITE)
    }

    /// Appends elements, at most `count`; all elements of a buffer have one type.
    func append<Element: BitwiseCopyable>(
        atMost count: Int, _ body: (inout OutputSpan<Element>) -> Void
    ) {
        reserve(count, of: Element.self)
        populate(count * MemoryLayout<Element>.stride)
        let start = unsafe (memory + byteCount).bindMemory(to: Element.self, capacity: count)
        let elements = unsafe UnsafeMutableBufferPointer(start: start, count: count)
        var output = unsafe OutputSpan(buffer: elements, initializedCount: 0)
        body(&output)
        byteCount += unsafe output.finalize(for: elements) * MemoryLayout<Element>.stride
    }

    /// Makes a buffer with a copy of some elements.
    convenience init<Element: BitwiseCopyable>(_ elements: [Element]) {
        self.init()
        let count = elements.count * MemoryLayout<Element>.stride
        reserve(elements.count, of: Element.self)
        populate(count)
        unsafe elements.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe memcpy(memory, start, count)
        }
        byteCount = count
    }

    /// Calls `body` with all elements, which have the type that was appended.
    func withElements<Element: BitwiseCopyable, Result>(_ body: (Span<Element>) -> Result) -> Result {
        let count = byteCount / MemoryLayout<Element>.stride
        return unsafe body(Span(_unsafeStart: memory.assumingMemoryBound(to: Element.self), count: count))
    }

    /// The address, which is valid as long as the buffer exists.
    var address: UnsafeRawPointer { unsafe UnsafeRawPointer(memory) }
}
