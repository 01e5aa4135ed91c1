import ByteSpans
import DataCompression
import SystemIO

/// The content of a member of a zip without a directory, as far as it can be read.
///
/// The end of deflated content is in the content itself. The CRC-32 is checked if it is known.
final class SalvagedMemberStream: ByteStream {
    private let file: FileDescriptor
    private let member: ZipSalvage.Member
    private var inflate: Inflate?
    private var input = [UInt8](repeating: 0, count: 1 << 16)
    private var available = 0..<0
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
        if member.isDeflated { inflate = Inflate() }
    }

    var crc32: UInt32 { checksum.value }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        let count = inflate == nil ? try copy(into: &target, range) : try inflate(into: &target, range)
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
        while inflate?.isFinished == false, !range.isEmpty {
            if available.isEmpty {
                available = 0..<(try refill(&input))
            }
            let step: Inflate.Step?
            do { step = try inflate?.step(input.span.extracting(available), into: &target, range) } catch {
                throw ExportError(.checksumMismatch, file: member.name)
            }
            guard let step else { return 0 }
            // The zip ends before the content does.
            if available.isEmpty, step.produced == 0 { throw ExportError(.truncated, file: member.name) }
            available = (available.lowerBound + step.consumed)..<available.upperBound
            if step.produced > 0 { return step.produced }
        }
        return 0
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
