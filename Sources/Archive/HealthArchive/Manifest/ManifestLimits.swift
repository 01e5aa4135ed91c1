import ByteText
package import SystemIO
import VaultContainer

/// The limits on the size of a manifest, which is one entry and is kept in memory as a whole.
extension Manifest {
    /// Returns the maximum length of the text in a frame of a given size, so that a small frame cannot expand to any
    /// size.
    package static func longestText(of frame: Int) -> Int {
        min(ContainerFormat.largestEntry, LengthSum.of(smallText, frame * textExpansion))
    }

    /// The factor by which a text may be longer than its frame, in addition to `smallText`.
    private static let textExpansion = 100
    private static let smallText = 1 << 16

    /// The minimum number of bytes of a file in the list, apart from its name: a long name may have a short path.
    private static let bytesOfFile = 64

    /// Returns whether a manifest can list files of these names.
    ///
    /// - Returns: false if it definitely cannot; the exact length is known only at the end.
    package static func canList(files: [BytePath], ignored: [BytePath]) -> Bool {
        let length = LengthSum.of(files.total { $0.count + bytesOfFile }, ignored.total(\.count))
        return files.count <= JSONReader.mostMembers && ignored.count <= JSONReader.mostMembers
            && length <= ContainerFormat.largestEntry
    }

    /// Returns whether the manifest, as `json`, can be stored and read back.
    package func canBeStored(as json: [UInt8]) -> Bool {
        let counts = [
            spans.count, files.count, ignoredFiles.count, failedBatches.count, sources.count, types.count,
            elements.count, unknownElements.count, unknownAttributes.count, skipped.count,
            gone.spans.count, gone.files.count,
        ]
        return json.count <= ContainerFormat.largestEntry
            && counts.allSatisfy { $0 <= JSONReader.mostMembers }
    }
}
