import ByteText
import CZip
import Glibc
import Synchronization
import SystemIO

/// The directory of a zip, read by libzip.
///
/// Its members can be read concurrently. They share one open file, even if it is renamed or replaced, so the directory,
/// which may list thousands of members, is not read again for each of them.
@safe final class ZipDirectory: @unchecked Sendable {
    // @unchecked: libzip does no locking of its own, so `turn` serialises all uses of the handle and of the members
    // opened through it.
    private let handle: OpaquePointer
    /// The file that libzip reads, and closes with the handle.
    private let file: UnsafeMutablePointer<FILE>
    private let turn = Mutex(())
    let path: BytePath
    /// The members in the order of the directory.
    let members: [Member]

    struct Member: Sendable, Equatable {
        let index: UInt64
        /// The name: kept as it is if it is valid UTF-8, or else decoded from code page 437, which old zips use.
        let name: BytePath
        /// The size in the zip, in bytes.
        let compressedSize: Int
        /// The size of the content, in bytes; above 4 GiB some writers keep only the low 32 bits.
        let size: Int
        let crc32: UInt32
        let method: Int32
        let isEncrypted: Bool

        var isFolder: Bool { name.bytes.last == UInt8(ascii: "/") }
    }

    /// Opens the zip at `path`.
    ///
    /// - Throws: `damagedArchive` if libzip finds no directory, `overlappingMembers` if members share bytes, `io` if
    ///   the system reports an error.
    init(_ path: BytePath) throws(ExportError) {
        guard let file = unsafe fopen(path.cString, "rbe") else {
            throw ZipFailure(code: ZIP_ER_OPEN, number: errno)
                .reading(path, file: path, otherwise: .damagedArchive)
        }
        // Measured before libzip reads: this is the size of the open file, even if the path now leads elsewhere.
        guard unsafe fseeko(file, 0, SEEK_END) == 0, case let size = Int(unsafe ftello(file)), size >= 0,
            unsafe fseeko(file, 0, SEEK_SET) == 0
        else {
            let failure = ZipFailure(code: ZIP_ER_SEEK, number: errno)
            unsafe fclose(file)
            throw failure.reading(path, file: path, otherwise: .damagedArchive)
        }
        let handle = try unsafe Self.handle(file, path)
        self.path = path
        unsafe self.handle = handle
        unsafe self.file = file
        var members: [Member] = []
        // The end record, then each member's two headers, each with its name, and content (APPNOTE 4.3).
        var extent = LengthSum(22)
        for index in 0..<UInt64(max(0, unsafe zip_get_num_entries(handle, 0))) {
            var info = unsafe zip_stat_t()
            guard unsafe zip_stat_index(handle, index, UInt32(ZIP_FL_ENC_RAW), &info) == 0,
                let name = unsafe info.name
            else {
                let failure = unsafe ZipFailure(zip_get_error(handle))
                unsafe zip_discard(handle)
                throw failure.reading(path, file: path, otherwise: .damagedArchive)
            }
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            for length in unsafe [30, 46, bytes.count, bytes.count, Self.size(info.comp_size)] {
                extent.add(length)
            }
            unsafe members.append(
                Member(
                    index: index, name: ZipName.path(bytes), compressedSize: Self.size(info.comp_size),
                    size: Self.size(info.size), crc32: info.crc, method: Int32(info.comp_method),
                    isEncrypted: info.encryption_method != ZIP_EM_NONE))
        }
        self.members = members
        // Members that share bytes could expand to any size: 92 kB of such a zip inflate to 25 GB.
        guard extent.value <= size else {
            throw ExportError(.overlappingMembers, file: path)
        }
    }

    deinit { unsafe zip_discard(handle) }

    @unsafe private static func handle(
        _ file: UnsafeMutablePointer<FILE>, _ path: BytePath
    ) throws(ExportError) -> OpaquePointer {
        var failure = unsafe zip_error_t()
        unsafe zip_error_init(&failure)
        defer { unsafe zip_error_fini(&failure) }
        guard let source = unsafe zip_source_filep_create(file, 0, -1, &failure) else {
            let reason = unsafe ZipFailure(&failure)
            unsafe fclose(file)
            throw reason.reading(path, file: path, otherwise: .damagedArchive)
        }
        errno = 0
        if let handle = unsafe zip_open_from_source(source, ZIP_RDONLY, &failure) { return unsafe handle }
        let reason = unsafe refusal(file) ?? ZipFailure(&failure)
        unsafe zip_source_free(source)
        throw reason.reading(path, file: path, otherwise: .damagedArchive)
    }

    /// Returns the read error reported by the system since `errno` was set to 0.
    ///
    /// libzip reports a read error only if it occurs in the first read of a call; after some bytes, it treats the
    /// error as the end of the file.
    @unsafe private static func refusal(_ file: UnsafeMutablePointer<FILE>) -> ZipFailure? {
        let number = errno
        guard unsafe ferror(file) != 0 else { return nil }
        unsafe clearerr(file)
        return ZipFailure(code: ZIP_ER_READ, number: number == 0 ? EIO : number)
    }

    /// Converts a size from the directory, which may be any number, to an `Int`.
    private static func size(_ given: UInt64) -> Int { Int(clamping: given) }

    /// Opens a member for its raw bytes in the zip, or for its content as decompressed by libzip.
    ///
    /// The caller closes it.
    @unsafe func open(_ member: Member, compressed: Bool) throws(ExportError) -> OpaquePointer {
        let flags = compressed ? UInt32(ZIP_FL_COMPRESSED) : 0
        var file: OpaquePointer?
        var failure: ZipFailure?
        turn.withLock { _ in
            errno = 0
            unsafe file = zip_fopen_index(handle, member.index, flags)
            if unsafe file == nil {
                failure = unsafe Self.refusal(self.file) ?? ZipFailure(zip_get_error(handle))
            }
        }
        if let failure {
            throw failure.reading(
                path, file: member.name, otherwise: compressed ? .damagedArchive : .unsupportedCompression)
        }
        guard let file = unsafe file else { throw ExportError(.damagedArchive, file: member.name) }
        return unsafe file
    }

    /// Reads some bytes of an open member; returns 0 at its end.
    @unsafe func read(
        _ file: OpaquePointer, of member: Member, into target: UnsafeMutableRawPointer?, count: Int
    ) throws(ExportError) -> Int {
        var read: zip_int64_t = 0
        var failure: ZipFailure?
        turn.withLock { _ in
            errno = 0
            unsafe read = zip_fread(file, target, UInt64(count))
            if read < count { failure = unsafe Self.refusal(self.file) }
            if read < 0, failure == nil { failure = unsafe ZipFailure(zip_file_get_error(file)) }
        }
        if let failure { throw failure.reading(path, file: member.name, otherwise: .checksumMismatch) }
        return Int(read)
    }

    /// Closes a member.
    @unsafe func close(_ file: OpaquePointer) {
        turn.withLock { _ in _ = unsafe zip_fclose(file) }
    }
}
