import ByteText
import SystemIO
import VaultCrypto

/// The content of a side file, regardless of the offset of its times and of when it was exported.
///
/// Electrocardiograms have times in the format of Apple's XML, `export_cda.xml` in that of HL7; each export writes them
/// with the offset of its day. The time of the export itself is not part of the content.
package struct FileContent: ~Copyable {
    private var hash: SHA256
    private var rest: [UInt8] = []
    private let exported: Int?

    /// The maximum difference between the time of an export and that time as given in its files, in seconds.
    private static let tolerance = 600

    private init(exported: Int?) throws {
        hash = try SHA256()
        self.exported = exported
    }

    /// Returns a digest of the content of a file of an export.
    package static func digest(of file: Manifest.File, in export: StoredExport) throws -> [UInt8] {
        try digest(exportDate: export.manifest.exportDate) { body in
            try export.contents.forEachPiece(ofFileAt: file.path, body)
        }
    }

    /// Returns a digest of the content of a file of an export.
    ///
    /// - Parameters:
    ///   - exportDate: The time of the export, as Apple writes it.
    ///   - read: Passes the bytes of the file to its argument, piece by piece.
    package static func digest(
        exportDate: String, _ read: ((([UInt8]) throws -> Void)) throws -> Void
    ) throws -> [UInt8] {
        var content = try FileContent(exported: Timestamp(healthApp: Array(exportDate.utf8).span)?.seconds)
        try read { content.add($0, isLast: false) }
        content.add([], isLast: true)
        return content.hash.finish()
    }

    private mutating func add(_ piece: [UInt8], isLast: Bool) {
        let bytes = rest + piece
        let text = bytes.span
        // A time may continue in the next piece.
        let end = isLast ? bytes.count : max(0, bytes.count - Timestamp.length)
        var (start, index) = (0, 0)
        while index < end {
            guard text[index] &- 0x30 < 10 else {
                index += 1
                continue
            }
            if let (seconds, length) = Self.time(text, at: index) {
                hash.update(text.extracting(start..<index))
                add(seconds)
                index += length
                start = index
            } else {
                // A time does not start in the middle of a number.
                repeat { index += 1 } while index < bytes.count && text[index] &- 0x30 < 10
            }
        }
        let done = max(start, min(index, bytes.count))
        hash.update(text.extracting(start..<done))
        rest = Array(bytes[done...])
    }

    private mutating func add(_ seconds: Int) {
        if let exported, abs(seconds - exported) <= Self.tolerance {
            hash.update([UInt8(ascii: "e")].span)
        } else {
            var number = UInt64(bitPattern: Int64(seconds))
            var bytes: [UInt8] = [UInt8(ascii: "t")]
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: number))
                number >>= 8
            }
            hash.update(bytes.span)
        }
    }

    /// Reads the time at an index; nil if there is none.
    private static func time(_ text: Span<UInt8>, at start: Int) -> (seconds: Int, length: Int)? {
        if text.count - start >= Timestamp.length,
            let time = Timestamp(apple: text.extracting(start..<(start + Timestamp.length)))
        {
            return (time.seconds, Timestamp.length)
        }
        guard text.count - start >= Timestamp.compactLength else { return nil }
        return Timestamp(compact: text.extracting(start..<(start + Timestamp.compactLength)))
            .map { ($0.seconds, Timestamp.compactLength) }
    }
}
