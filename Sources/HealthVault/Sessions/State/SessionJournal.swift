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

    let path: String
    private let state: Mutex<State>

    /// Opens the journal of a session, alone, and makes it where there is none.
    ///
    /// - Returns: What it says, nil for a new one.
    /// - Throws: `SessionError.inUse` where another process has it, `unreadableState`; `SystemError`.
    static func open(_ path: String) throws -> (SessionJournal, SessionDescriptor?) {
        let file = try FileDescriptor(opening: path, .updateOrCreate)
        do { try file.lock(exclusively: true) } catch {
            throw error.isLocked ? SessionError.inUse : error
        }
        // It may have been removed between the two.
        guard (try? FileStatus(at: path))?.isSameFile(as: try file.status()) == true else {
            throw SessionError.inUse
        }
        let state = try SessionStateReader(try file.bytes(at: 0, count: try file.status().size))
        try file.truncate(to: state.length)
        return (SessionJournal(path, file, length: state.length), state.descriptor)
    }

    private init(_ path: String, _ file: consuming FileDescriptor, length: Int) {
        self.path = path
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
                let now = Clock.uptime()
                guard syncing || now - state.lastSync >= Self.syncInterval else { return }
                try state.file.sync()
                state.lastSync = now
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }

    /// Everything that was appended is on the device when this returns.
    func sync() throws(VaultError) { try append([], syncing: true) }

    /// Brings the journal's name onto the device.
    func syncName() throws { try Folder.sync(Folder.parent(of: path)) }

    /// Removes the file.
    func remove() throws {
        try state.withLock { state in
            guard !state.isRemoved else { return }
            try Folder.removeFile(path)
            state.isRemoved = true
        }
    }
}
