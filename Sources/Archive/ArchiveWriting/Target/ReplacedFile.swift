package import SystemIO

/// A file that will be replaced, and stays open until then.
///
/// File systems without real inodes, such as FAT, give a file that is not open a new number each time, so that it could
/// not be distinguished from another one.
package final class ReplacedFile: Sendable {
    private let file: FileDescriptor
    /// Its status.
    package let status: FileStatus

    /// Makes a value that keeps the file open.
    init(_ file: consuming FileDescriptor) throws(SystemError) {
        status = try file.status()
        self.file = file
    }
}
