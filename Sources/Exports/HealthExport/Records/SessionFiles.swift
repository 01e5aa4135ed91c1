package import SystemIO

/// The files of sessions of one kind, in a state folder.
package struct SessionFiles<Record: FileRecord>: Sendable {
    private let folder: BytePath
    private let suffix: BytePath
    private static var sessions: BytePath { "sessions" }

    /// Creates the collection of files whose names end with a suffix.
    package init(_ folder: StateFolder, suffix: BytePath) {
        self.folder = folder.path
        self.suffix = suffix
    }

    /// Returns the names of all sessions, sorted by file name.
    package func all() throws(SystemError) -> [BulkExportSessionIdentifier] {
        do {
            let entries = try OpenFolder(opening: folder).openFolder(Self.sessions).entries()
            return entries.filter { $0.status.kind == .file }.compactMap { entry in
                entry.name.dropping(suffix: suffix)?.text.map { BulkExportSessionIdentifier($0) }
            }
        } catch {
            if error.isMissing { return [] }
            throw error
        }
    }

    /// Returns the name of a session's file.
    ///
    /// - Throws: ``RecordedExportError`` with `noSuchSession` if there is no such file.
    private func existing(_ id: BulkExportSessionIdentifier) throws -> BytePath {
        guard id.isUsable, try all().contains(id) else {
            throw RecordedExportError(.noSuchSession, path: BytePath(id.text))
        }
        return "\(id.text)\(suffix)"
    }

    /// Reads the file of a session, which a process may be using.
    ///
    /// - Throws: ``RecordedExportError`` with `noSuchSession`; `SystemError`.
    func read(
        _ id: BulkExportSessionIdentifier
    ) throws -> (lines: [RecordFile<Record>.Line], isInUse: Bool) {
        try RecordLog.lines(of: existing(id), in: openFolder())
    }

    /// Opens the file of a session, which belongs to this process until it is released.
    ///
    /// - Parameters:
    ///   - id: The session's name.
    ///   - mustExist: Whether the file is not created.
    ///   - attempts: How often to try.
    /// - Throws: ``RecordedExportError`` with `inUse`, `invalidIdentifier` or `noSuchSession`; `SystemError`.
    package func open(
        _ id: BulkExportSessionIdentifier, mustExist: Bool = false, attempts: Int = 1
    ) throws -> RecordLog<Record> {
        guard id.isUsable else { throw RecordedExportError(.invalidIdentifier, path: BytePath(id.text)) }
        let name = try mustExist ? existing(id) : "\(id.text)\(suffix)"
        let folder = try openFolder()
        for attempt in 1...attempts {
            if attempt > 1 { SystemClock.sleep(milliseconds: 10) }
            do { return try RecordLog(name, in: folder) } catch { if !error.isLocked { throw error } }
        }
        throw RecordedExportError(.inUse, path: BytePath(id.text))
    }

    /// Opens the sessions folder, and creates it if it is missing.
    ///
    /// - Throws: `SystemError`, including if it is a link, because the state must not be stored elsewhere.
    private func openFolder() throws(SystemError) -> OpenFolder {
        try Folder.makeAll(folder)
        let folder = try OpenFolder(opening: folder)
        if try folder.statusIfThere(of: Self.sessions) == nil {
            try folder.makeFolders(Self.sessions)
            try folder.sync()
        }
        return try folder.openFolder(Self.sessions)
    }
}
