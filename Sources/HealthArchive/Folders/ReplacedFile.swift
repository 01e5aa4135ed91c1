package import SystemIO

/// A file that is to be replaced, and stays open until then.
///
/// File systems without inodes of their own, such as FAT, give a file that is not open another number each time, so that
/// it could not be told from another one.
package final class ReplacedFile: Sendable {
    private let file: FileDescriptor
    /// Its status.
    package let status: FileStatus

    /// Takes the open file.
    init(_ file: consuming FileDescriptor) throws(SystemError) {
        status = try file.status()
        self.file = file
    }
}
