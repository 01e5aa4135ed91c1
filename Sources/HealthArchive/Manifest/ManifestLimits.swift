import ByteSpans
package import SystemIO
import VaultContainer

/// How long a manifest may be: it is one entry, which is held in memory as a whole.
extension Manifest {
    /// So many members each list has at most.
    ///
    /// No export comes near; a manifest that somebody made could have tens of millions, each of which takes many times
    /// more memory than text.
    static let mostMembers = 1 << 20

    /// A frame of so many bytes may hold no longer text: a small one must not become much.
    static func longestText(of frame: Int) -> Int {
        min(ContainerFormat.largestEntry, LengthSum.of(smallText, frame * textExpansion))
    }

    /// How often the length of its frame a text may have, beyond what any may have.
    private static let textExpansion = 100
    private static let smallText = 1 << 16

    /// A file takes so many bytes in the list at least, beside its name: the path of a long one may be short.
    private static let bytesOfFile = 64

    /// A manifest can list files of these names.
    ///
    /// - Returns: false where it certainly cannot; how long it gets is known at the end.
    package static func canList(files: [BytePath], ignored: [BytePath]) -> Bool {
        let length = LengthSum.of(files.total { $0.count + bytesOfFile }, ignored.total(\.count))
        return files.count <= mostMembers && ignored.count <= mostMembers
            && length <= ContainerFormat.largestEntry
    }

    /// As `json` it can be stored, and read back.
    package func canBeStored(as json: [UInt8]) -> Bool {
        let counts = [
            spans.count, files.count, ignoredFiles.count, failedBatches.count, sources.count, types.count,
            elements.count, unknownElements.count, unknownAttributes.count, skipped.count,
        ]
        return json.count <= ContainerFormat.largestEntry && counts.allSatisfy { $0 <= Self.mostMembers }
    }
}
