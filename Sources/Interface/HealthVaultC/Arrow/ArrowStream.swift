import CHealthVault
import Glibc
import SystemIO

/// A table that is read batch by batch.
protocol TableSource: AnyObject {
    /// Its columns.
    var schema: ArrowField { get }
    /// Returns the next rows; nil after the last.
    func next() throws -> ArrowColumn?
}

/// Hands a table over to a consumer as a stream.
enum ArrowStreamExport: Sendable {
    /// Describes a table in a stream that is not in use.
    static func export(_ table: any TableSource, to stream: UnsafeMutablePointer<ArrowArrayStream>) {
        let owner = unsafe StreamOwner(table)
        unsafe stream.initialize(
            to: ArrowArrayStream(
                get_schema: { stream, schema in
                    unsafe StreamOwner.of(stream).schema(schema)
                },
                get_next: { stream, array in
                    unsafe StreamOwner.of(stream).next(array)
                },
                get_last_error: { stream in
                    unsafe UnsafePointer(StreamOwner.of(stream).lastError)
                },
                release: { stream in
                    guard let stream = unsafe stream, let owner = unsafe stream.pointee.private_data else {
                        return
                    }
                    unsafe stream.pointee.release = nil
                    unsafe stream.pointee.private_data = nil
                    let kept = unsafe Unmanaged<StreamOwner>.fromOpaque(owner)
                    // In a child, another thread of the parent may have been using it.
                    if unsafe kept._withUnsafeGuaranteedRef({ unsafe $0.isInherited }) { return }
                    unsafe kept.release()
                }, private_data: Unmanaged.passRetained(owner).toOpaque()))
    }
}

/// A stream that a consumer reads.
@unsafe private final class StreamOwner {
    private let table: any TableSource
    private let process = getpid()
    private(set) var lastError: UnsafeMutablePointer<CChar>?
    /// Whether reading has failed: what follows is the same failure, not the end.
    private var hasFailed = false

    init(_ table: any TableSource) { unsafe self.table = table }

    deinit { unsafe free(lastError) }

    /// Whether this process is a child of the one that opened it.
    var isInherited: Bool { unsafe getpid() != process }

    static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> StreamOwner {
        guard let owner = unsafe stream?.pointee.private_data else { fatalError("a released stream is used") }
        return unsafe Unmanaged<StreamOwner>.fromOpaque(owner).takeUnretainedValue()
    }

    func schema(_ schema: UnsafeMutablePointer<ArrowSchema>?) -> CInt {
        guard let schema = unsafe schema else { return EINVAL }
        guard unsafe !isInherited else { return unsafe fail(InheritedHandle(), EINVAL) }
        unsafe ArrowExport.export(table.schema, to: schema)
        return 0
    }

    func next(_ array: UnsafeMutablePointer<ArrowArray>?) -> CInt {
        guard let array = unsafe array else { return EINVAL }
        guard unsafe !isInherited else { return unsafe fail(InheritedHandle(), EINVAL) }
        if unsafe hasFailed { return EIO }
        do {
            guard let rows = try unsafe table.next() else {
                // An array without a release is the end.
                unsafe array.initialize(to: ArrowArray())
                return 0
            }
            guard !rows.isTooLarge else { throw ArrayTooLarge() }
            unsafe ArrowExport.export(rows, to: array)
            return 0
        } catch {
            unsafe hasFailed = true
            return unsafe fail(error, EIO)
        }
    }

    private func fail(_ error: any Error, _ number: CInt) -> CInt {
        unsafe free(lastError)
        unsafe lastError = strdup(FailureText(error).joined)
        return number
    }
}
