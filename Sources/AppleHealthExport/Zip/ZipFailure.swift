import CZip
import Glibc
import SystemIO

/// What libzip says of a call that failed.
struct ZipFailure {
    /// One of libzip's `ZIP_ER_` numbers.
    private let code: Int32
    /// The error number of the system call that failed, 0 where none did.
    private let number: Int32
    /// What it means, in libzip's words.
    let text: String

    /// A failure of which no more is known than its numbers.
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

    /// The system call that failed, an error of input and output where libzip names none.
    func systemError(path: BytePath) -> SystemError {
        SystemError(
            call: call, path: path, number: number != 0 ? number : code == ZIP_ER_MEMORY ? ENOMEM : EIO)
    }

    /// Why a zip cannot be read: the system refused, or else what the caller says of it.
    func reading(_ path: BytePath, file: BytePath, otherwise code: ExportError.Code) -> ExportError {
        // To a place that no file has, only a zip sends one whose numbers are wrong.
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
