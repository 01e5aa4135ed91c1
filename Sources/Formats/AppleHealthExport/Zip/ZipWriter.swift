public import ByteText
import CZip
import Glibc
public import SystemIO

/// Writes a zip whose members are streams of any length.
///
/// libzip reads its input only when it closes an archive. Members are therefore first written, uncompressed and one
/// after another, to a file beside the target, and ``finish()`` deflates them; memory use does not grow with their
/// size. A writer that is not finished leaves no file behind. Use it only for data that may be stored unencrypted.
///
/// ```swift
/// var zip = try ZipWriter("export.zip", modified: Timestamp(seconds: 0, offsetMinutes: 0))
/// try zip.add("apple_health_export/export.xml") { (write) throws(ExportError) in try write(bytes.span) }
/// try zip.finish()
/// ```
public struct ZipWriter: ~Copyable, Sendable {
    private struct Member: Sendable {
        let name: BytePath
        let bytes: Range<Int>
    }

    /// The path of the finished zip.
    public let path: BytePath
    private let replacing: Bool
    private let modified: Timestamp
    private let comment: [UInt8]
    private let folder: OpenFolder
    private let spoolName: BytePath
    private let spool: FileDescriptor
    private var spooled = 0
    private var members: [Member] = []
    private var names: Set<BytePath> = []
    /// The member being written, and its start.
    private var open: (name: BytePath, start: Int)?

    /// Starts a zip; nothing is written at `path` before ``finish()``.
    ///
    /// - Parameters:
    ///   - path: The path of the finished zip, in an existing folder.
    ///   - replacing: Whether an existing file is replaced.
    ///   - modified: The modification time of all members, so that equal members produce equal zips. A zip stores it
    ///     as local time without an offset.
    ///   - comment: The comment at the end of the zip, less than 64 KiB.
    /// - Throws: `io` if no file can be created beside `path`.
    public init(
        _ path: BytePath, replacing: Bool = false, modified: Timestamp, comment: [UInt8] = []
    ) throws(ExportError) {
        let number = String(UInt32.random(in: 0 ... .max), radix: 36)
        let folder = try Self.naming(path) { () throws(SystemError) in try OpenFolder(holding: path) }
        let spoolName: BytePath = ".\(path.name).\(number).members"
        let spool = try Self.naming(path) { () throws(SystemError) in try folder.open(spoolName, .create) }
        self.path = path
        self.folder = folder
        self.spoolName = spoolName
        self.spool = spool
        self.replacing = replacing
        self.modified = modified
        self.comment = comment
    }

    deinit {
        // No other process uses a name with this random number.
        try? folder.removeFile(spoolName)
        try? folder.removeFile(packedName)
    }

    /// Adds a member.
    ///
    /// - Parameters:
    ///   - name: The path inside the zip, with `/` between the parts.
    ///   - content: Passes the bytes, piece by piece, to the function that it receives.
    /// - Returns: What `content` returns.
    /// - Throws: `unsafeName` for a name that leads out of the zip, `io` if the name is in use or the disk is full, and
    ///   any error of `content`. The member is then left out, and others can still be added.
    public mutating func add<Result>(
        _ name: BytePath,
        _ content: (_ write: (borrowing Span<UInt8>) throws(ExportError) -> Void) throws(ExportError) ->
            Result
    ) throws(ExportError) -> Result {
        try begin(name)
        do throws(ExportError) {
            let result = try content { (bytes) throws(ExportError) in try write(bytes) }
            end()
            return result
        } catch {
            open = nil
            throw error
        }
    }

    /// Starts a member; ``write(_:)`` appends to it.
    ///
    /// - Throws: `unsafeName` for a name that leads out of the zip or is not UTF-8, `io` if the name is in use.
    public mutating func begin(_ name: BytePath) throws(ExportError) {
        // The names of a zip are UTF-8.
        guard ZipName.isSafe(name), name.text != nil, name.bytes.last != UInt8(ascii: "/") else {
            throw ExportError(.unsafeName, file: path, detail: name.description)
        }
        guard !names.contains(name) else {
            throw ExportError(
                .io(SystemError(call: .write, path: path, number: EEXIST)), file: path,
                detail: name.description)
        }
        open = (name, spooled)
    }

    /// Appends bytes to the open member.
    ///
    /// - Throws: `io` if the disk is full.
    public mutating func write(_ bytes: borrowing Span<UInt8>) throws(ExportError) {
        try Self.naming(path) { () throws(SystemError) in try spool.write(bytes, at: spooled) }
        spooled += bytes.count
    }

    /// Completes the open member.
    public mutating func end() {
        guard let (name, start) = open else { return }
        open = nil
        members.append(Member(name: name, bytes: start..<spooled))
        names.insert(name)
    }

    /// Deflates the members and moves the zip to its path.
    ///
    /// - Throws: `io` if the zip cannot be written or its name is in use, `empty` if it has no members.
    public consuming func finish() throws(ExportError) {
        guard !members.isEmpty else { throw ExportError(.empty, file: path) }
        try pack()
        try Self.naming(path) { () throws(SystemError) in
            let packed = try folder.open(packedName, .update)
            try packed.sync()
            let replaced = replacing ? try folder.statusIfThere(of: path.name) : nil
            try folder.rename(packedName, being: packed.status(), to: path.name, replacing: replaced)
        }
    }

    private var packedName: BytePath { spoolName + ".zip" }

    private static func naming<Result: ~Copyable>(
        _ path: BytePath, _ body: () throws(SystemError) -> Result
    ) throws(ExportError) -> Result {
        do { return try body() } catch { throw ExportError(.io(error), file: path) }
    }
}

// MARK: - libzip

extension ZipWriter {
    private borrowing func pack() throws(ExportError) {
        // libzip keeps the permissions of an existing file, in this case for its owner only.
        try Self.naming(path) { () throws(SystemError) in
            try folder.open(packedName, .create).close()
        }
        var code: Int32 = 0
        guard
            let archive = unsafe zip_open(
                path.sibling(packedName).cString, ZIP_CREATE | ZIP_TRUNCATE, &code)
        else {
            throw failure(ZipFailure(code: code, number: errno))
        }
        do throws(ExportError) {
            for member in members { try unsafe add(member, to: archive) }
            let length = UInt16(clamping: comment.count)
            guard
                unsafe comment.withUnsafeBytes({ bytes in
                    unsafe zip_set_archive_comment(
                        archive, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length)
                }) == 0
            else { throw unsafe failure(archive) }
            guard unsafe zip_close(archive) == 0 else { throw unsafe failure(archive) }
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
    }

    @unsafe private borrowing func add(_ member: Member, to archive: OpaquePointer) throws(ExportError) {
        // A length of 0 would mean the rest of the file.
        let source =
            if member.bytes.isEmpty {
                unsafe zip_source_buffer(archive, nil, 0, 0)
            } else {
                unsafe zip_source_file(
                    archive, path.sibling(spoolName).cString, UInt64(member.bytes.lowerBound),
                    Int64(member.bytes.count))
            }
        guard let source = unsafe source else { throw unsafe failure(archive) }
        let index = unsafe zip_file_add(archive, member.name.cString, source, UInt32(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw unsafe failure(archive)
        }
        let place = UInt64(index)
        let stamp = dosTime
        guard unsafe zip_set_file_compression(archive, place, ZIP_CM_DEFLATE, 6) == 0,
            unsafe zip_file_set_dostime(archive, place, stamp.time, stamp.date, 0) == 0,
            unsafe zip_file_set_external_attributes(archive, place, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16)
                == 0
        else { throw unsafe failure(archive) }
    }

    /// The time in the format of APPNOTE 4.4.6: in units of two seconds, with years from 1980 to 2107.
    private var dosTime: (date: UInt16, time: UInt16) {
        let earliest = 315_532_800
        let latest = 4_354_819_198
        let local = min(max(modified.seconds + modified.offsetMinutes * 60, earliest), latest)
        let day = CivilDate(daysSince1970: local / 86400)
        let (hour, minute, second) = (local / 3600 % 24, local / 60 % 60, local % 60)
        let date = (day.year - 1980) << 9 | day.month << 5 | day.day
        let time = hour << 11 | minute << 5 | (second / 2)
        return (UInt16(date), UInt16(time))
    }

    @unsafe private borrowing func failure(_ archive: OpaquePointer) -> ExportError {
        failure(unsafe ZipFailure(zip_get_error(archive)))
    }

    private borrowing func failure(_ failure: ZipFailure) -> ExportError {
        ExportError(
            .io(failure.systemError(path: path)), file: path,
            detail: failure.text.isEmpty ? nil : failure.text)
    }
}
