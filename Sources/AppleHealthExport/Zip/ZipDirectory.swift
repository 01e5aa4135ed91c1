import CZip
import Glibc
import Synchronization

/// The directory of a zip, read by libzip.
///
/// Its members can be read at the same time. They share one open file, whatever becomes of its name, and a directory that
/// may have thousands of members is not read again for each of them.
@safe final class ZipDirectory: @unchecked Sendable {
    // @unchecked: libzip takes no locks of its own, so that whoever uses the handle, or a member opened by it, waits for
    // its turn.
    private let handle: OpaquePointer
    private let turn = Mutex(())
    let path: String
    /// The members in the order of the directory.
    let members: [Member]

    struct Member: Sendable, Equatable {
        let index: UInt64
        /// The name as UTF-8: taken as such where it is, else as code page 437, which old zips use.
        let name: String
        /// Bytes in the zip.
        let compressedSize: Int
        /// Bytes of content; where it is over 4 GiB some writers keep only the low 32 bits.
        let size: Int
        let crc32: UInt32
        let method: Int32
        let isEncrypted: Bool

        var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
    }

    /// Opens the zip at `path`.
    ///
    /// - Throws: `damagedArchive` where libzip finds no directory.
    init(_ path: String) throws(ExportError) {
        var failure: Int32 = 0
        guard let handle = unsafe zip_open(path, ZIP_RDONLY, &failure) else {
            throw ExportError(.damagedArchive, file: path)
        }
        self.path = path
        unsafe self.handle = handle
        var members: [Member] = []
        for index in 0..<UInt64(max(0, unsafe zip_get_num_entries(handle, 0))) {
            var info = unsafe zip_stat_t()
            guard unsafe zip_stat_index(handle, index, UInt32(ZIP_FL_ENC_RAW), &info) == 0,
                let name = unsafe info.name
            else { continue }
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            unsafe members.append(
                Member(
                    index: index, name: ZipName.text(bytes), compressedSize: Self.size(info.comp_size),
                    size: Self.size(info.size), crc32: info.crc, method: Int32(info.comp_method),
                    isEncrypted: info.encryption_method != ZIP_EM_NONE))
        }
        self.members = members
    }

    deinit { unsafe zip_discard(handle) }

    /// A size as the directory has it, which may be anything: sums of those that are taken do not overflow.
    private static func size(_ given: UInt64) -> Int { Int(min(given, 1 << 40)) }

    /// Opens a member: its bytes as they stand in the zip, or uncompressed by libzip.
    ///
    /// The caller closes it.
    @unsafe func open(_ member: Member, compressed: Bool) throws(ExportError) -> OpaquePointer {
        let flags = compressed ? UInt32(ZIP_FL_COMPRESSED) : 0
        var file: OpaquePointer?
        turn.withLock { _ in unsafe file = zip_fopen_index(handle, member.index, flags) }
        guard let file = unsafe file else {
            throw ExportError(compressed ? .damagedArchive : .unsupportedCompression, file: member.name)
        }
        return unsafe file
    }

    /// Reads some bytes of a member that is open; 0 at its end.
    @unsafe func read(
        _ file: OpaquePointer, of member: Member, into target: UnsafeMutableRawPointer?, count: Int
    ) throws(ExportError) -> Int {
        var read: zip_int64_t = 0
        turn.withLock { _ in unsafe read = zip_fread(file, target, UInt64(count)) }
        guard read >= 0 else { throw ExportError(.checksumMismatch, file: member.name) }
        return Int(read)
    }

    /// Closes a member.
    @unsafe func close(_ file: OpaquePointer) {
        turn.withLock { _ in _ = unsafe zip_fclose(file) }
    }
}
