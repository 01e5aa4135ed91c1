import Glibc

/// Memory of an Arrow array, aligned as Arrow recommends.
///
/// Each array owns its own: a consumer may release one and keep the others.
@safe final class ArrowBuffer: @unchecked Sendable {
    // @unchecked: nobody writes to it once it is made.
    private let memory: UnsafeMutableRawPointer

    /// The alignment that Arrow recommends for vector instructions, in bytes.
    private static let alignment = 64

    private init(byteCount: Int) {
        var memory: UnsafeMutableRawPointer?
        let status = unsafe posix_memalign(&memory, Self.alignment, max(byteCount, Self.alignment))
        guard status == 0, let memory = unsafe memory else { fatalError("out of memory") }
        unsafe self.memory = memory
    }

    deinit { unsafe free(memory) }

    /// Makes a buffer for some elements, which `body` appends.
    ///
    /// - Parameters:
    ///   - count: The largest number of elements.
    ///   - body: Appends the elements.
    init<Element: BitwiseCopyable, Failure: Error>(
        capacity count: Int, _ body: (inout OutputSpan<Element>) throws(Failure) -> Void
    ) throws(Failure) {
        let (bytes, isBeyond) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        precondition(!isBeyond, "fits into memory")
        var memory: UnsafeMutableRawPointer?
        let status = unsafe posix_memalign(&memory, Self.alignment, max(bytes, Self.alignment))
        guard status == 0, let memory = unsafe memory else { fatalError("out of memory") }
        unsafe self.memory = memory
        let elements = unsafe UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: Element.self, capacity: count), count: count)
        var output = unsafe OutputSpan(buffer: elements, initializedCount: 0)
        try body(&output)
        _ = unsafe output.finalize(for: elements)
    }

    /// Makes a buffer with a copy of some elements.
    convenience init<Element: BitwiseCopyable>(_ elements: [Element]) {
        self.init(capacity: elements.count) { (output: inout OutputSpan<Element>) in
            for element in elements { output.append(element) }
        }
    }

    /// The address, which is valid as long as the buffer exists.
    var address: UnsafeRawPointer { unsafe UnsafeRawPointer(memory) }
}
