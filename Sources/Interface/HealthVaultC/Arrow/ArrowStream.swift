import CHealthVault
import CommandOutput
import Glibc
import Synchronization

/// A table that a consumer reads piece by piece through Arrow's C stream interface.
final class ArrowStream: Sendable {
    private let fields: [ArrowField]
    private let process = getpid()
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let source: any RowSource
        /// The message about the last call, which the consumer may read until the next one.
        @unsafe var message: UnsafeMutablePointer<CChar>?

        deinit { unsafe free(message) }
    }

    /// Where the rows come from.
    protocol RowSource: Sendable {
        /// Returns the next rows; nil after the last.
        func next() throws -> ArrowRows?
        /// Ends all work; no rows are asked for any more.
        func stop()
    }

    init(_ fields: [ArrowField], _ source: any RowSource) {
        self.fields = fields
        state = unsafe Mutex(State(source: source, message: nil))
    }

    /// Writes the stream into a structure, which keeps it until it is released.
    @unsafe
    func write(to target: UnsafeMutablePointer<ArrowArrayStream>) {
        unsafe target.initialize(to: ArrowArrayStream())
        unsafe target.pointee.private_data = Unmanaged.passRetained(self).toOpaque()
        unsafe target.pointee.get_schema = { stream, schema in
            guard let stream = unsafe ArrowStream.of(stream), let schema = unsafe schema else { return EINVAL }
            return stream.answering { unsafe ArrowExport.write(stream.fields, to: schema) }
        }
        unsafe target.pointee.get_next = { stream, array in
            guard let stream = unsafe ArrowStream.of(stream), let array = unsafe array else { return EINVAL }
            return stream.answering {
                if let rows = try stream.state.withLock({ try $0.source.next() }) {
                    unsafe ArrowExport.write(rows, to: array)
                } else {
                    // An array without a release function is the end.
                    unsafe array.initialize(to: ArrowArray())
                }
            }
        }
        unsafe target.pointee.get_last_error = { stream in
            guard let stream = unsafe ArrowStream.of(stream) else { return nil }
            return unsafe stream.state.withLock { unsafe $0.message.map { unsafe UnsafePointer($0) } }
        }
        unsafe target.pointee.release = { target in
            guard let target = unsafe target, let data = unsafe target.pointee.private_data else { return }
            unsafe target.pointee.release = nil
            unsafe target.pointee.private_data = nil
            let stream = unsafe Unmanaged<ArrowStream>.fromOpaque(data)
            // The threads of a parent are not in its child, which must not wait for them.
            guard unsafe stream.takeUnretainedValue().process == getpid() else { return }
            unsafe stream.takeUnretainedValue().state.withLock { $0.source.stop() }
            unsafe stream.release()
        }
    }

    @unsafe
    private static func of(_ target: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowStream? {
        guard let data = unsafe target?.pointee.private_data else { return nil }
        return unsafe Unmanaged<ArrowStream>.fromOpaque(data).takeUnretainedValue()
    }

    /// Runs a call, and keeps the message if it fails.
    private func answering(_ body: () throws -> Void) -> Int32 {
        guard process == getpid() else { return EPERM }
        do {
            try body()
            return 0
        } catch {
            let text = ErrorMessage(error).message.text
            unsafe state.withLock { state in
                unsafe free(state.message)
                unsafe state.message = strdup(text)
            }
            return EIO
        }
    }
}

/// Rows that are all there.
final class KnownRows: ArrowStream.RowSource {
    private let rest: Mutex<ArrowRows?>

    init(_ rows: ArrowRows) { rest = Mutex(rows) }

    func next() -> ArrowRows? { rest.withLock { $0.take() } }

    func stop() { rest.withLock { $0 = nil } }
}
