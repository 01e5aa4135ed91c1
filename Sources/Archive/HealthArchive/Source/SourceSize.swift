package import AppleHealthExport
import ByteText
import SystemIO

/// The size of a source, on the disk and unpacked.
package struct SourceSize: Sendable {
    /// The size on the disk, in bytes; that of the side files alone for standard input.
    package let stored: Int
    /// The size of the document and the side files as declared by the source, in bytes; nil for standard input.
    package let unpacked: Int?

    package init(_ source: ExportSource) {
        let files = source.sideFiles.total(\.size)
        unpacked = source.documentSize.map { LengthSum.of($0, files) }
        stored =
            switch source.kind {
            case .zip: (try? FileStatus(at: source.path).size) ?? 0
            case .folder, .xml, .standardInput: LengthSum.of(source.documentSize ?? 0, files)
            }
    }

    /// Returns the progress after some unpacked bytes, scaled to the size on the disk.
    ///
    /// The owner of a zip knows its size, but not that of its unpacked contents.
    package func progress(_ phase: VaultProgress.Phase, _ subject: String, done: Int) -> VaultProgress {
        guard let unpacked, unpacked > 0 else { return VaultProgress(phase, subject: subject, done: done) }
        let part = stored == unpacked ? done : Int(Double(done) * (Double(stored) / Double(unpacked)))
        return VaultProgress(phase, subject: subject, done: min(part, stored), total: stored)
    }
}
