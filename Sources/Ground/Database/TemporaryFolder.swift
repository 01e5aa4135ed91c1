import CSQLite

extension Database {
    /// Sets the folder for SQLite's temporary files, for the whole process.
    ///
    /// Call it before the first database is opened. SQLite uses temporary files to sort what does not fit into its
    /// cache, as for `CREATE INDEX`. It creates them with permissions 0600 and removes their names at once; with
    /// `PRAGMA temp_store = MEMORY` it creates none. If the folder disappears later, SQLite silently uses
    /// `SQLITE_TMPDIR`, `TMPDIR`, `/var/tmp`, `/usr/tmp`, `/tmp` or the current folder.
    ///
    /// - Parameter path: The path of a folder, in bytes of any encoding.
    /// - Throws: `SQLITE_CANTOPEN` if the folder does not exist or is not writable.
    public static func setTemporaryFolder(_ path: [UInt8]) throws(DatabaseError) {
        guard !path.isEmpty, !path.contains(0) else {
            throw DatabaseError(.setTemporaryFolder, code: SQLITE_MISUSE)
        }
        guard let system = unsafe sqlite3_vfs_find(nil),
            let copy = unsafe sqlite3_malloc64(UInt64(path.count + 1))
        else { throw DatabaseError(.setTemporaryFolder, code: SQLITE_NOMEM) }
        let name = unsafe UnsafeMutableRawBufferPointer(start: copy, count: path.count + 1)
        unsafe name.copyBytes(from: path + [0])
        let owned = unsafe copy.assumingMemoryBound(to: CChar.self)
        // The check that `PRAGMA temp_store_directory` makes.
        var isWritable: Int32 = 0
        let code = unsafe system.pointee.xAccess(system, owned, SQLITE_ACCESS_READWRITE, &isWritable)
        guard code == SQLITE_OK, isWritable != 0 else {
            unsafe sqlite3_free(copy)
            throw DatabaseError(.setTemporaryFolder, code: SQLITE_CANTOPEN)
        }
        unsafe csqlite_set_temporary_folder(owned)
    }
}
