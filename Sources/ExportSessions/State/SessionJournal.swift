import HealthArchive
import Synchronization
import SystemIO

/// The file of a session's state, to which events are appended in their order, and which is never rewritten.
///
/// A line is passed to the system at once, so that the end of the process loses none; the device is asked
/// to keep it at most once a second, so that a crash of the machine loses no more than the lines of the last second of
/// work. Batches whose line is lost are processed
/// again.
final class SessionJournal: Sendable {
    private struct State: ~Copyable {
        let file: FileDescriptor
        /// The end of the last complete line.
        var length: Int
        /// Whether a line was written in part, and may still be there.
        var isTorn = false
        var lastSync = 0.0
        var isRemoved = false

        /// Appends lines, all of them or none.
        mutating func append(_ lines: [UInt8]) throws(SystemError) {
            if isTorn {
                try file.truncate(to: length)
                isTorn = false
            }
            do { try file.write(lines.span, at: length) } catch {
                isTorn = true
                throw error
            }
            length += lines.count
        }
    }

    private static let syncInterval = 1.0

    /// The folder of sessions.
    private let folder: OpenFolder
    private let name: BytePath
    private let state: Mutex<State>

    /// Opens the journal of a session exclusively, and creates it if there is none.
    ///
    /// - Returns: The journal and its contents, which are nil for a new one.
    /// - Throws: `SessionError.inUse` if another process has it, `unreadableState`; `SystemError`.
    static func open(
        _ name: BytePath, in folder: OpenFolder
    ) throws -> (SessionJournal, SessionDescriptor?) {
        let file: FileDescriptor
        do { file = try folder.claim(name, .updateOrCreate) } catch {
            throw error.isLocked ? SessionError.inUse : error
        }
        let state = try SessionStateReader(try file.bytes(at: 0, count: try file.status().size))
        try file.truncate(to: state.length)
        return (SessionJournal(name, folder, file, length: state.length), state.descriptor)
    }

    private init(
        _ name: BytePath, _ folder: OpenFolder, _ file: consuming FileDescriptor, length: Int
    ) {
        self.name = name
        self.folder = folder
        state = Mutex(State(file: file, length: length))
    }

    /// Appends lines.
    ///
    /// - Parameter syncing: Whether they must be on the device before this returns.
    /// - Throws: `VaultError`; none of the lines is then in the file.
    func append(_ lines: [UInt8], syncing: Bool = false) throws(VaultError) {
        do {
            try state.withLock { state in
                guard !state.isRemoved else { return }
                try state.append(lines)
                let now = SystemClock.uptime()
                guard syncing || now - state.lastSync >= Self.syncInterval else { return }
                try state.file.sync()
                state.lastSync = now
            }
        } catch { throw VaultError.wrapping(error, path: folder.path / name) }
    }

    /// Flushes everything that was appended to the device.
    func sync() throws(VaultError) { try append([], syncing: true) }

    /// Flushes the journal's name to the device.
    func syncName() throws { try folder.sync() }

    /// Removes the file.
    func remove() throws {
        try state.withLock { state in
            guard !state.isRemoved else { return }
            try folder.removeFile(name, being: state.file.status())
            state.isRemoved = true
        }
    }
}
