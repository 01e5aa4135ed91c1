import ByteText
import CZip
import DataCompression

/// The content of one member of a zip, with its CRC-32 checked at the end.
///
/// Deflated members are inflated by ISA-L, three times faster than by zlib; stored members are copied, and rarer
/// methods are left to libzip.
@safe final class ZipMemberStream: ByteStream {
    private let directory: ZipDirectory
    private let member: ZipDirectory.Member
    private let file: OpaquePointer
    private let deflated: DeflatedContent?
    private var checksum = CRC32()
    /// The number of bytes returned so far.
    private var length = 0
    /// The maximum number of bytes to return: only methods used for zip bombs expand data further than DEFLATE can.
    private let most: Int

    init(_ member: ZipDirectory.Member, of directory: ZipDirectory) throws(ExportError) {
        guard !member.isEncrypted else { throw ExportError(.encryptedArchive, file: member.name) }
        self.directory = directory
        self.member = member
        let isPlain = member.method == ZIP_CM_DEFLATE || member.method == ZIP_CM_STORE
        unsafe file = try directory.open(member, compressed: isPlain)
        let (times, isTooLarge) = member.compressedSize.multipliedReportingOverflow(by: 1100)
        most = isTooLarge ? .max : LengthSum.of(times, 1 << 16)
        deflated = member.method == ZIP_CM_DEFLATE ? DeflatedContent() : nil
    }

    deinit { unsafe directory.close(file) }

    var crc32: UInt32 { checksum.value }

    func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        let count = deflated == nil ? try fill(&target, range) : try inflate(into: &target, range)
        if count == 0 { try checkEnd() }
        guard length <= most else { throw ExportError(.inflatesTooFar, file: member.name) }
        checksum.update(target.span.extracting(range.lowerBound..<(range.lowerBound + count)))
        length += count
        return count
    }

    private func inflate(
        into target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(ExportError) -> Int {
        switch try deflated?.read(into: &target, range, refill: refill) {
        case .bytes(let count): return count
        case .end, nil: return 0
        case .damaged: throw ExportError(.checksumMismatch, file: member.name)
        case .cutOff:
            throw ExportError(length < member.size ? .truncated : .checksumMismatch, file: member.name)
        }
    }

    private func refill(_ buffer: inout [UInt8]) throws(ExportError) -> Int {
        var span = buffer.mutableSpan
        return try fill(&span, 0..<span.count)
    }

    /// Reads bytes of the member as returned by libzip.
    private func fill(_ target: inout MutableSpan<UInt8>, _ range: Range<Int>) throws(ExportError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= target.count, "a range of the target")
        return try unsafe target.withUnsafeMutableBytes { bytes throws(ExportError) in
            let place = unsafe bytes.baseAddress.map { unsafe $0 + range.lowerBound }
            return try unsafe directory.read(file, of: member, into: place, count: range.count)
        }
    }

    /// Checks the CRC-32 against the directory's.
    ///
    /// The length is not compared: above 4 GiB some writers keep only the low 32 bits, and DEFLATE marks its own end.
    private func checkEnd() throws(ExportError) {
        guard checksum.value == member.crc32 else { throw ExportError(.checksumMismatch, file: member.name) }
    }
}
