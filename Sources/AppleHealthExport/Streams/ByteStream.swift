import DataCompression
import SystemIO

/// Bytes that are read front to back.
public protocol ByteStream: AnyObject {
    /// Reads some bytes into a range of `target`; 0 at the end.
    ///
    /// - Throws: `ExportError`; at the end also when checksum or length are not what they should be.
    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int

    /// The CRC-32 of the bytes read so far.
    var crc32: UInt32 { get }
}

/// The bytes of a file, or of standard input, with their CRC-32 as they go by.
final class FileStream: ByteStream {
    private let file: FileDescriptor
    private var checksum = CRC32()
    private let expectedLength: Int?
    /// When it was written last, as it was opened.
    private let modified: FileStatus.Instant?
    private var length = 0

    /// Reads a file from its start; a file that turns out longer or shorter than `expectedLength`, or that was written
    /// while it was read, has changed.
    init(_ file: consuming FileDescriptor, expectedLength: Int? = nil) {
        modified = (try? file.status())?.modified
        self.file = file
        self.expectedLength = expectedLength
    }

    var crc32: UInt32 { checksum.value }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        do {
            let count = try file.read(into: &target, range)
            checksum.update(target.span.extracting(range.lowerBound..<(range.lowerBound + count)))
            length += count
            if count == 0, let expectedLength {
                guard length == expectedLength, try file.status().modified == modified else {
                    throw ExportError(.changed, file: file.path)
                }
            }
            return count
        } catch let error as SystemError {
            throw ExportError(.io(error), file: file.path)
        } catch let error as ExportError { throw error } catch {
            throw ExportError(.changed, file: file.path)
        }
    }
}

/// Bytes that were read to see what they are, and then the rest.
final class PrefixedStream: ByteStream {
    private var prefix: ArraySlice<UInt8>
    private let rest: any ByteStream

    var crc32: UInt32 { rest.crc32 }

    init(_ prefix: [UInt8], _ rest: any ByteStream) {
        self.prefix = prefix[...]
        self.rest = rest
    }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        guard !prefix.isEmpty else { return try rest.read(into: &target, range) }
        let count = min(prefix.count, range.count)
        for index in 0..<count { target[range.lowerBound + index] = prefix[prefix.startIndex + index] }
        prefix = prefix.dropFirst(count)
        return count
    }
}
