import DataCompression
import Glibc
import SystemIO
import VaultCrypto

/// Opens a container's file for oneself alone, to change it, or beside other readers.
///
/// - Throws: `io`, with `isLocked` where another process has it, or has just put another file in its place.
func lockedFile(_ path: BytePath, forUpdate: Bool) throws(ContainerError) -> FileDescriptor {
    try reading { () throws(SystemError) in
        let file = try FileDescriptor(opening: path, forUpdate ? .update : .read)
        try file.lock(exclusively: forUpdate)
        guard try FileStatus(at: path).isSameFile(as: file.status()) else {
            throw SystemError(call: .flock, path: path, number: EWOULDBLOCK)
        }
        return file
    }
}

/// Turns a system error into the container's.
func reading<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(ContainerError) -> Result {
    do { return try body() } catch { throw ContainerError(.io(error)) }
}

/// Turns a failure of a compressor into the container's.
func compression<Result: ~Copyable>(
    _ body: () throws(CompressionError) -> Result
) throws(ContainerError) -> Result {
    do throws(CompressionError) { return try body() } catch { throw ContainerError(.compressionFailed) }
}

/// Turns a failure of the crypto module that is no wrong tag into the container's.
func crypto<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(ContainerError) -> Result {
    do { return try body() } catch { throw ContainerError(.cryptoFailed) }
}
