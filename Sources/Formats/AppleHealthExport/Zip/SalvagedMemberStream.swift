import ByteText
import DataCompression
import SystemIO

/// The content of a member of a zip without a directory, as far as it can be read.
///
/// The end of deflated content is in the content itself. The CRC-32 is checked if it is known.
final class SalvagedMemberStream: ByteStream {
    private let file: FileDescriptor
    private let member: ZipSalvage.Member
    private let deflated: DeflatedContent?
    private var offset: Int
    private var checksum = CRC32()
    private var length = 0

    /// Opens the zip at a path.
    ///
    /// - Throws: `io`.
    init(_ member: ZipSalvage.Member, of path: BytePath) throws(ExportError) {
        do { file = try FileDescriptor(opening: path, .read) } catch {
            throw ExportError(.io(error), file: path)
        }
        self.member = member
        offset = member.offset
        deflated = member.isDeflated ? DeflatedContent() : nil
    }

    var crc32: UInt32 { checksum.value }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        let count = deflated == nil ? try copy(into: &target, range) : try inflate(into: &target, range)
        if count == 0, !range.isEmpty { try checkEnd() }
        checksum.update(target.span.extracting(range.lowerBound..<(range.lowerBound + count)))
        length += count
        return count
    }

    private func copy(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        let rest = (member.compressedSize ?? 0) - length
        return try fill(&target, range.prefix(rest))
    }

    private func inflate(
        into target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(ExportError) -> Int {
        switch try deflated?.read(into: &target, range, refill: refill) {
        case .bytes(let count): return count
        case .end, nil: return 0
        case .damaged: throw ExportError(.checksumMismatch, file: member.name)
        case .cutOff: throw ExportError(.truncated, file: member.name)
        }
    }

    /// Reads deflated content to its end, or as far as it can be read, and returns the offset in the zip behind it.
    ///
    /// - Throws: `io`.
    func skip() throws(ExportError) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do {
            var target = buffer.mutableSpan
            while try inflate(into: &target, 0..<target.count) > 0 {}
        } catch {
            if case .io = error.code { throw error }
        }
        return member.offset + (deflated?.consumed ?? 0)
    }

    private func refill(_ buffer: inout [UInt8]) throws(ExportError) -> Int {
        var span = buffer.mutableSpan
        return try fill(&span, 0..<span.count)
    }

    /// Reads the next bytes of the zip.
    private func fill(_ target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        guard !range.isEmpty else { return 0 }
        let bytes: [UInt8]
        do { bytes = try file.bytes(at: offset, count: range.count) } catch {
            throw ExportError(.io(error), file: file.path)
        }
        target.copy(bytes.span, to: range.lowerBound)
        offset += bytes.count
        return bytes.count
    }

    private func checkEnd() throws(ExportError) {
        if !member.isDeflated, let size = member.compressedSize, length < size {
            throw ExportError(.truncated, file: member.name)
        }
        guard member.crc32.map({ $0 == checksum.value }) ?? true else {
            throw ExportError(.checksumMismatch, file: member.name)
        }
    }
}
