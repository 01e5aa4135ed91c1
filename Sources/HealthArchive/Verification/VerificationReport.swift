public import SystemIO
public import VaultContainer

/// What a check of an archive found.
public struct VerificationReport: Sendable {
    /// Something that is wrong.
    public enum Problem: Sendable, Equatable {
        /// A place of the container.
        case container(ContainerError)
        /// A place of a container that the archive continues.
        case predecessor(path: BytePath, ContainerError)
        /// A file's bytes are not those that `SHA256SUMS` lists.
        case changedFile(path: BytePath)
        /// The drive does not give back a file.
        case unreadableFile(path: BytePath)
        /// A pipe, a device or a socket lies where a file should be.
        case noFile(path: BytePath)
        /// A listed file is not there.
        case missingFile(path: BytePath)
        /// A file is there that nobody listed.
        case unlistedFile(path: BytePath)
        /// A batch or file cannot be decoded.
        case undecodable(path: BytePath)
        /// The samples of a span are not those that the manifest counts: expected and found numbers of rows.
        case samples(type: String, span: String, expected: Int, found: Int)
        /// A side file is not what the manifest says of it.
        case sideFile(name: BytePath)
        /// The samples of a span are not those of the source: numbers in the archive and in the source.
        case sourceSamples(type: String, span: String, archive: Int, source: Int)
        /// A side file of the source is not in the archive, or another one.
        case sourceFile(name: BytePath)
        /// The manifest counts elements as read that it does not count as written.
        case lostElements(path: String, read: Int, written: Int)

        /// It is about archive and source, which may be of different days, and not about the archive alone.
        public var isDifference: Bool {
            switch self {
            case .sourceSamples, .sourceFile: true
            default: false
            }
        }

        /// It is about a file that is there too much.
        fileprivate var isStranger: Bool { if case .unlistedFile = self { true } else { false } }
    }

    /// What is wrong, in the order in which it was found.
    public var problems: [Problem] = []
    /// Entries that cannot be read because of damage.
    public var affectedEntries: [BytePath] = []
    /// What hinders nobody from reading.
    public var warnings: Set<ContainerWarning> = []
    /// The same of the containers that the archive continues, by their paths.
    public var predecessorWarnings: [BytePath: Set<ContainerWarning>] = [:]
    /// The containers that the archive continues, the newest first; they were checked with it.
    public var continues: [BytePath] = []
    /// What the archive holds, where its manifest could be read.
    public var manifest: Manifest?
    /// Bytes that were checked.
    public var size = 0
    /// Seconds from start to end.
    public var seconds = 0.0
    /// Seconds of key derivation.
    public var keyDerivationSeconds = 0.0
    /// The source was compared as well.
    public var comparedSource = false
    /// The source's document is, byte for byte as far as length and CRC-32 tell, the one that the archive was made of.
    ///
    /// Where it is not and there are no problems, the source holds the same samples, but their creation dates, the
    /// versions of their sources, the offsets of their times or their order may differ.
    public var isSameDocument = false

    /// Everything is as it should be.
    public var isClean: Bool { problems.isEmpty }

    /// All that is wrong with a folder is that something lies in it that does not belong to it.
    public var hasOnlyStrangers: Bool { !isWhole && problems.allSatisfy { $0.isStranger || $0.isDifference } }

    /// Nothing is wrong with the archive itself, however it differs from the source.
    public var isWhole: Bool { problems.allSatisfy(\.isDifference) }
}
