import ArchiveManifest
import Synchronization
import SystemIO

/// The file with a session's state, to which events are appended in order and which is never rewritten.
///
/// Each line is written immediately, so no line is lost when the process ends. The file is flushed to the device on
/// request, and otherwise at most once a second, so a system crash loses at most the lines of the last second of work.
/// Batches whose lines are lost are processed again.
final class SessionJournal: Sendable {
    private struct State: ~Copyable {
        let file: FileDescriptor
        /// The end of the last complete line.
        var length: Int
        /// Whether part of a failed write may still be in the file.
        var isTorn = false
        var lastSync = 0.0
        var isRemoved = false

        /// Appends all of the lines or none.
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

    /// Opens the journal of a session exclusively, and creates it if it is missing.
    ///
    /// - Returns: The journal and its contents, which are nil for a new journal.
    /// - Throws: `SessionError.inUse` if another process has it open, `unreadableState`; `SystemError`.
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
    /// - Parameter syncing: Whether the lines must be on the device before this method returns.
    /// - Throws: `VaultError`; if the write failed, no line is appended, but if only the flush failed, all are.
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

    /// Flushes all appended lines to the device.
    func sync() throws(VaultError) { try append([], syncing: true) }

    /// Flushes the journal's directory entry to the device.
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
