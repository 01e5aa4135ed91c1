import ByteText
import DataCompression
import SystemIO

/// A stream of bytes that is read front to back.
public protocol ByteStream: AnyObject {
    /// Reads some bytes into a range of `target`; returns 0 at the end.
    ///
    /// - Throws: `ExportError`; at the end, also if the checksum or the length is wrong.
    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int

    /// The CRC-32 of the bytes read so far.
    var crc32: UInt32 { get }
}

/// A stream of the bytes of a file, or of standard input, that computes their CRC-32.
final class FileStream: ByteStream {
    private let file: FileDescriptor
    private var checksum = CRC32()
    private let expectedLength: Int?
    /// The modification time when the file was opened.
    private let modified: FileStatus.Instant?
    private var length = 0

    /// Makes a stream of a file from its start.
    ///
    /// With an `expectedLength`, reading throws `changed` at the end if the length differs or the file was modified
    /// in the meantime.
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

/// A stream of the bytes already read to identify its source, followed by the rest.
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

/// A stream of in-memory bytes in pieces of a given size, for testing readers with generated documents.
package final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let piece: Int
    private var offset = 0

    /// Makes a stream that returns at most `piece` bytes at a time.
    package init(_ bytes: [UInt8], piece: Int = 1 << 20) {
        self.bytes = bytes
        self.piece = piece
    }

    /// Always 0, because nothing compares the checksum of in-memory bytes.
    package var crc32: UInt32 { 0 }

    package func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
        let count = min(range.count, piece, bytes.count - offset)
        let bytes = bytes
        target.copy(bytes.span.extracting(offset..<(offset + count)), to: range.lowerBound)
        offset += count
        return count
    }
}
