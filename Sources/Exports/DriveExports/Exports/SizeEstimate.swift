import AppleHealthExport
import ByteText
import SystemIO

/// An estimate of the size of an export, made before it is read.
enum SizeEstimate {
    /// Returns the approximate minimum size of an export in bytes.
    static func size(of source: BytePath, isEncrypted: Bool) -> Int {
        guard let found = try? ExportSource(opening: source) else { return 0 }
        let document = found.documentSize ?? 0
        let files = found.sideFiles.total(\.size)
        // Archives take 3 to 7 % of the document, and from an eighth to half of the side files.
        return isEncrypted ? LengthSum.of(document / 40, files / 8) : LengthSum.of(document / 2, files)
    }
}
