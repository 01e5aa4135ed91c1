import Synchronization

/// A file of records to which lines are appended, and which belongs to this process until it is released.
///
/// Each line is written immediately, so no line is lost when the process ends; a crash leaves those before it intact.
package final class RecordLog<Record: FileRecord>: Sendable {
    private struct State: ~Copyable {
        let file: FileDescriptor
        /// The end of the last complete line.
        var length: Int
        /// Whether a part of a line may follow that end.
        var isTorn: Bool
        var lastSync = 0.0
        var isRemoved = false

        /// Appends all of the text or none.
        mutating func append(_ text: [UInt8]) throws(SystemError) {
            if isTorn {
                try file.truncate(to: length)
                isTorn = false
            }
            do { try file.write(text.span, at: length) } catch {
                isTorn = true
                throw error
            }
            length += text.count
        }
    }

    private let folder: OpenFolder
    private let name: BytePath
    private let state: Mutex<State>
    /// The lines that the file had when it was opened.
    package let lines: [RecordFile<Record>.Line]

    /// Opens and locks a file in a folder, and creates it if it is missing.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process has it open.
    package init(_ name: BytePath, in folder: OpenFolder) throws(SystemError) {
        self.folder = folder
        self.name = name
        let file = try folder.claim(name, .updateOrCreate)
        let bytes = try file.bytes(at: 0, count: file.status().size)
        let (lines, length) = RecordFile<Record>.Line.all(in: bytes)
        self.lines = lines
        state = Mutex(State(file: file, length: length, isTorn: length < bytes.count))
    }

    /// Reads the lines of a file, which another process may be using.
    package static func lines(
        of name: BytePath, in folder: OpenFolder
    ) throws(SystemError) -> (lines: [RecordFile<Record>.Line], isInUse: Bool) {
        let file = try folder.open(name, .read)
        let bytes = try file.bytes(at: 0, count: file.status().size)
        return (RecordFile<Record>.Line.all(in: bytes).lines, (try? file.lock(exclusively: false)) == nil)
    }

    /// Appends records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - isSynced: Whether they must be on the device before this method returns; otherwise, they are within a second.
    /// - Throws: `SystemError`; if writing failed, nothing is appended, but if only the flush failed, all is.
    package func append(_ records: [Record], isSynced: Bool = true) throws(SystemError) {
        let text = records.flatMap { RecordFile<Record>.Line($0).text + [RecordFile<Record>.Line.end] }
        try state.withLock { state throws(SystemError) in
            guard !state.isRemoved else { return }
            let isNew = state.length == 0
            try state.append(text)
            let now = SystemClock.uptime()
            guard isSynced || now - state.lastSync >= 1 else { return }
            try state.file.sync()
            // The name of a new file is not on the device with its content.
            if isNew { try folder.sync() }
            state.lastSync = now
        }
    }

    /// Removes the file.
    package func remove() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard !state.isRemoved else { return }
            try folder.removeFile(name, being: state.file.status())
            state.isRemoved = true
        }
    }
}
