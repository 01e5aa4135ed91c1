import HealthArchive
import Synchronization
import SystemIO

/// The file that a session's state is in: appended to in the order in which things happen, and never rewritten.
///
/// A line is handed to the system at once, so that the end of the process loses none; it is brought onto the device
/// within a second, so that the end of the machine loses what happened in the last one. Batches whose line is lost are
/// processed again.
final class SessionJournal: Sendable {
    private struct State: ~Copyable {
        let file: FileDescriptor
        /// Where the last whole line ends.
        var length: Int
        /// A line was written in part, and may still stand there.
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

    /// Opens the journal of a session, alone, and makes it where there is none.
    ///
    /// - Returns: What it says, nil for a new one.
    /// - Throws: `SessionError.inUse` where another process has it, `unreadableState`; `SystemError`.
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
    /// - Parameter syncing: They must be on the device before this returns.
    /// - Throws: `VaultError`; then none of the lines is there.
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

    /// Everything that was appended is on the device when this returns.
    func sync() throws(VaultError) { try append([], syncing: true) }

    /// Brings the journal's name onto the device.
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
