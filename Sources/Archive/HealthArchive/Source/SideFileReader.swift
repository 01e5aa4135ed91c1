package import AppleHealthExport
import ByteText
import SystemIO

/// A reader for a side file, which reads pieces of equal size as far as the file is readable.
///
/// A damaged side file must not prevent an archive of everything else: the readable part is kept, and the rest is
/// reported as missing.
package struct SideFileReader {
    /// The number of bytes of a file in one compressed entry, which then stays below 1 MiB.
    package static let pieceSize = 15 << 16

    private var stream: (any ByteStream)?
    /// The buffer, shorter than a piece because most files are: allocating a whole piece takes longer than reading
    /// them.
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var hasStarted = false
    /// The number of bytes read so far.
    package private(set) var length = 0
    /// Whether the file could not be read to its end, or not at all, or its checksum is wrong.
    package private(set) var isDamaged = false

    /// Opens a file.
    ///
    /// - Throws: `ExportError` if the source itself has changed; damage to the file alone sets `isDamaged`.
    package init(_ file: ExportSource.SideFile, of source: ExportSource) throws(ExportError) {
        do { stream = try source.open(file) } catch { try markDamagedOrRethrow(error) }
    }

    /// The CRC-32 of the bytes read so far.
    package var crc32: UInt32 { stream?.crc32 ?? 0 }

    /// Returns the next piece, shorter than the others only at the end; nil after the last.
    ///
    /// An empty file has one empty piece.
    package mutating func next() throws(ExportError) -> [UInt8]? {
        let piece = try read()
        guard !piece.isEmpty || !hasStarted else { return nil }
        hasStarted = true
        length += piece.count
        return piece
    }

    private mutating func read() throws(ExportError) -> [UInt8] {
        guard let stream, !isDamaged else { return [] }
        var piece: [UInt8] = []
        do {
            while piece.count < Self.pieceSize {
                let wanted = 0..<min(buffer.count, Self.pieceSize - piece.count)
                var target = buffer.mutableSpan
                let count = try stream.read(into: &target, wanted)
                if count == 0 { break }
                if !piece.isEmpty { piece.reserveCapacity(Self.pieceSize) }
                piece.append(copying: buffer.span.extracting(0..<count))
            }
        } catch { try markDamagedOrRethrow(error) }
        return piece
    }

    private mutating func markDamagedOrRethrow(_ error: ExportError) throws(ExportError) {
        switch error.code {
        case .checksumMismatch, .truncated, .encryptedArchive, .unsupportedCompression: isDamaged = true
        case .io(let reason) where reason.isDeviceFailure || reason.isPermissionDenied: isDamaged = true
        default: throw error
        }
    }
}
