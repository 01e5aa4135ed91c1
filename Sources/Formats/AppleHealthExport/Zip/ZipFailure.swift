import CZip
import Glibc
import SystemIO

/// The error that libzip reports for a failed call.
struct ZipFailure {
    /// One of libzip's `ZIP_ER_` numbers.
    private let code: Int32
    /// The error number of the system call that failed; 0 if none did.
    private let number: Int32
    /// libzip's description of the error.
    let text: String

    /// Makes a failure from its numbers alone.
    init(code: Int32, number: Int32) {
        self.code = code
        self.number = number
        text = ""
    }

    @unsafe init(_ error: UnsafeMutablePointer<zip_error_t>) {
        code = unsafe zip_error_code_zip(error)
        number = unsafe zip_error_system_type(error) == ZIP_ET_SYS ? zip_error_code_system(error) : 0
        text = unsafe zip_error_strerror(error).map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the error of the failed system call; if libzip reports none, `ENOMEM` or `EIO`.
    func systemError(path: BytePath) -> SystemError {
        SystemError(
            call: call, path: path, number: number != 0 ? number : code == ZIP_ER_MEMORY ? ENOMEM : EIO)
    }

    /// Returns the error for a zip that cannot be read: the system's error if there is one, or else `code`.
    func reading(_ path: BytePath, file: BytePath, otherwise code: ExportError.Code) -> ExportError {
        // Only wrong offsets in a zip cause a seek to a position that no file can have.
        let isNoPlace = self.code == ZIP_ER_SEEK && [EINVAL, EFBIG, EOVERFLOW].contains(number)
        guard number != 0, !isNoPlace else { return ExportError(code, file: file) }
        return ExportError(.io(systemError(path: path)), file: file)
    }

    private var call: SystemCall {
        switch code {
        case ZIP_ER_OPEN, ZIP_ER_TMPOPEN: .open
        case ZIP_ER_READ, ZIP_ER_EOF: .read
        case ZIP_ER_SEEK, ZIP_ER_TELL: .lseek
        case ZIP_ER_RENAME: .rename
        case ZIP_ER_CLOSE: .close
        default: .write
        }
    }
}
