package import AppleHealthExport
import ByteSpans
import SystemIO

/// Reads a file beside the document in pieces of one size, as far as it can be read.
///
/// A damaged side file must not keep the owner from an archive of everything else: what could be read of it is kept,
/// and it is said that the rest is missing.
package struct SideFileReader {
    /// Bytes of a file that become one compressed entry: the entry then stays below a MiB.
    static let pieceSize = 15 << 16

    private var stream: (any ByteStream)?
    /// Most files are shorter than a piece: setting aside memory for a whole one takes longer than reading them.
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var hasStarted = false
    /// Bytes read so far.
    package private(set) var length = 0
    /// The file could not be read to its end, or not at all, or its checksum is wrong.
    package private(set) var isDamaged = false

    /// Opens a file.
    ///
    /// - Throws: `ExportError` where the source itself has changed; damage to the file alone shows in `isDamaged`.
    package init(_ file: ExportSource.SideFile, of source: ExportSource) throws(ExportError) {
        do { stream = try source.open(file) } catch { try note(error) }
    }

    /// CRC-32 of the bytes read so far.
    package var crc32: UInt32 { stream?.crc32 ?? 0 }

    /// The next piece, shorter than the others only at the end; nil behind it.
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
        } catch { try note(error) }
        return piece
    }

    private mutating func note(_ error: ExportError) throws(ExportError) {
        switch error.code {
        case .checksumMismatch, .truncated, .encryptedArchive, .unsupportedCompression: isDamaged = true
        case .io(let reason) where reason.isDeviceFailure || reason.isRefusal: isDamaged = true
        default: throw error
        }
    }
}
