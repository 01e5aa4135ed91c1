import DataCompression
import Glibc
import SystemIO
import VaultCrypto

/// Opens and locks a container's file, exclusively to change it, or shared with other readers.
///
/// - Parameter fillsGaps: Whether volumes that are missing between others are read as zeros.
/// - Throws: `io`, with `isLocked` if another process has it locked, or has just put another file in its place.
func lockedFile(
    _ path: BytePath, forUpdate: Bool, fillsGaps: Bool = false
) throws(ContainerError) -> VolumeFile {
    try reading { () throws(SystemError) in
        let file = try VolumeFile(opening: path, forUpdate ? .update : .read, fillsGaps: fillsGaps)
        try file.lock(exclusively: forUpdate)
        guard try FileStatus(at: VolumeName.start(of: path)).isSameFile(as: file.status()) else {
            throw SystemError(call: .flock, path: path, number: EWOULDBLOCK)
        }
        return file
    }
}

/// Converts a system error to a `ContainerError`.
func reading<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(ContainerError) -> Result {
    do { return try body() } catch { throw ContainerError(.io(error)) }
}

/// Converts a compressor's error to a `ContainerError`.
func compression<Result: ~Copyable>(
    _ body: () throws(CompressionError) -> Result
) throws(ContainerError) -> Result {
    do throws(CompressionError) { return try body() } catch { throw ContainerError(.compressionFailed) }
}

/// Converts a `CryptoError` to a `ContainerError`, for calls that do not check a tag.
func crypto<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(ContainerError) -> Result {
    do { return try body() } catch { throw ContainerError(.cryptoFailed) }
}
