import CPlatform
import Glibc

/// Runs a command chosen by the user, to get a passphrase from a password manager.
public enum Shell: Sendable {
    /// Runs `command` with `/bin/sh -c`, reads its standard output, and waits for it.
    ///
    /// - Parameters:
    ///   - command: What to run.
    ///   - target: Receives the output.
    /// - Returns: The number of bytes read, and the command's exit status.
    /// - Throws: `SystemError` when it cannot be started, or its output does not fit.
    public static func output(
        of command: String, into target: inout LockedPages
    ) throws(SystemError) -> (count: Int, status: Int32) {
        var process: Int32 = 0
        let descriptor = unsafe platform_spawn_shell(command, &process)
        guard descriptor >= 0 else { throw SystemError(call: .spawn, path: "/bin/sh", number: -descriptor) }
        let pipe = FileDescriptor(inherited: descriptor, name: "the passphrase command", owned: true)
        let count: Result<Int, SystemError>
        do { count = .success(try pipe.readAll(into: &target)) } catch { count = .failure(error) }
        // A command that writes too much ends when its pipe is closed.
        try? pipe.close()
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let exited = status & 0x7f == 0
        return (try count.get(), exited ? (status >> 8) & 0xff : 128 + (status & 0x7f))
    }
}

extension FileDescriptor {
    /// Reads to the end of the input.
    ///
    /// - Throws: `SystemError`, with the number `EFBIG` if the input leaves no byte of the target free.
    public func readAll(into target: inout LockedPages) throws(SystemError) -> Int {
        var count = 0
        while count < target.count {
            let taken = try target.withMutableSpan {
                (span: inout MutableSpan<UInt8>) throws(SystemError) -> Int in
                try read(into: &span, count..<span.count)
            }
            if taken == 0 { return count }
            count += taken
        }
        throw SystemError(call: .read, path: path, number: EFBIG)
    }
}
