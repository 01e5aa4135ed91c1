import CZip
import Glibc

/// The directory of a zip, read by libzip.
@safe final class ZipDirectory: @unchecked Sendable {
    // @unchecked: libzip's handle is used by one stream at a time; the members are read one after the other.
    private let handle: OpaquePointer
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
        guard let file = unsafe zip_fopen_index(handle, member.index, flags) else {
            throw ExportError(compressed ? .damagedArchive : .unsupportedCompression, file: member.name)
        }
        return unsafe file
    }
}
