import CPlatform

/// The changes in a folder: files that arrive, are written or renamed.
///
/// Where the system does not tell (no inotify, or a file system on another computer), waiting just takes its time: look
/// again after each wait.
public struct FolderChanges: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    /// Whether the system tells about changes.
    private let isTold: Bool

    /// Starts to watch the folder at a path.
    public init(in path: BytePath) {
        let number: Int32 = unsafe path.bytes.contains(0) ? -1 : platform_watch_folder(path.cString)
        isTold = number >= 0
        descriptor = FileDescriptor(inherited: number, name: path, owned: number >= 0)
    }

    /// Blocks the thread until something changes, but at most for a time; a signal ends the wait.
    public func wait(milliseconds: Int) {
        guard isTold else { return SystemClock.sleep(milliseconds: milliseconds) }
        descriptor.withNumber { number in
            platform_wait_for_change(number, Int32(clamping: milliseconds))
        }
    }
}
