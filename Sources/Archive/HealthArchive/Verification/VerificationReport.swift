public import SystemIO
public import VaultContainer

/// The result of checking an archive.
public struct VerificationReport: Sendable {
    /// A problem that was found.
    public enum Problem: Sendable, Equatable {
        /// A problem somewhere in the container.
        case container(ContainerError)
        /// A problem somewhere in a container that the archive continues.
        case predecessor(path: BytePath, ContainerError)
        /// A file's bytes do not match `SHA256SUMS`.
        case changedFile(path: BytePath)
        /// The drive cannot read a file.
        case unreadableFile(path: BytePath)
        /// A pipe, device or socket has the path of a file.
        case noFile(path: BytePath)
        /// A listed file is missing.
        case missingFile(path: BytePath)
        /// A file is not listed.
        case unlistedFile(path: BytePath)
        /// A batch or file cannot be decoded.
        case undecodable(path: BytePath)
        /// The samples of a span do not match the manifest: expected and found numbers of rows.
        case samples(type: String, span: String, expected: Int, found: Int)
        /// A side file does not match the manifest.
        case sideFile(name: BytePath)
        /// The samples of a span do not match the source: numbers in the archive and in the source.
        case sourceSamples(type: String, span: String, archive: Int, source: Int)
        /// A side file is only in the source or only in the archive, or differs between them.
        case sourceFile(name: BytePath)
        /// The manifest counts elements as read that it does not count as written.
        case lostElements(path: String, read: Int, written: Int)

        /// Whether it is a difference between archive and source, which may be of different days, and not a problem of
        /// the archive alone.
        public var isDifference: Bool {
            switch self {
            case .sourceSamples, .sourceFile: true
            default: false
            }
        }

        /// Whether it is about an unlisted file.
        fileprivate var isUnlistedFile: Bool { if case .unlistedFile = self { true } else { false } }
    }

    /// The problems, in the order in which they were found.
    public var problems: [Problem] = []
    /// Entries that cannot be read because of damage.
    public var affectedEntries: [BytePath] = []
    /// The samples in those entries, by type and span.
    public var losses: [Loss] = []

    /// Samples that cannot be read because of damage.
    public struct Loss: Sendable, Equatable {
        /// The sample type, or the element if it has none.
        public let type: String
        /// The name of the span: `2024-03`.
        public let span: String
        /// The number of samples.
        public let samples: Int
    }

    /// The warnings, which do not prevent reading.
    public var warnings: Set<ContainerWarning> = []
    /// The warnings about the containers that the archive continues, by path.
    public var predecessorWarnings: [BytePath: Set<ContainerWarning>] = [:]
    /// The containers that the archive continues, the newest first; they were checked with it.
    public var continues: [BytePath] = []
    /// The manifest of the archive, if it could be read.
    public var manifest: Manifest?
    /// The number of bytes that were checked.
    public var size = 0
    /// The duration of the check, in seconds.
    public var seconds = 0.0
    /// The duration of the key derivation, in seconds.
    public var keyDerivationSeconds = 0.0
    /// Whether the source was compared as well.
    public var comparedSource = false
    /// Whether the source's document is the one that the archive was made from, as far as length and CRC-32 show.
    ///
    /// If not, and there are no problems, the source has the same samples, but their creation dates, the versions of
    /// their sources, the offsets of their times or their order may differ.
    public var isSameDocument = false
    /// What the archive has beyond the source, which it contains completely; nil if they match, or if something is lacking.
    public var excess: Excess?

    /// What an archive has beyond a source, such as an earlier export.
    public struct Excess: Sendable, Equatable {
        /// The number of samples.
        public var samples = 0
        /// The number of side files.
        public var files = 0
        /// The files of which the archive has a later version.
        public var newerFiles: [BytePath] = []
    }

    /// Whether there are no problems.
    public var isClean: Bool { problems.isEmpty }

    /// Whether the only problem of a folder, apart from differences from the source, is files that do not belong to it.
    public var hasOnlyUnlistedFiles: Bool {
        !isWhole && problems.allSatisfy { $0.isUnlistedFile || $0.isDifference }
    }

    /// Whether the archive itself has no problems, even if it differs from the source.
    public var isWhole: Bool { problems.allSatisfy(\.isDifference) }
}

extension VerificationReport {
    /// Whether there is neither a problem nor a warning that makes a check fail.
    public var isFlawless: Bool { isClean && blockingWarnings.isEmpty }

    /// Warnings that make a check fail: the archive can be read, but it is not intact.
    public var blockingWarnings: [String] {
        predecessorWarnings.values.reduce(warnings) { $0.union($1) }
            .filter { $0 != .weakKdf }.map(\.rawValue).sorted()
    }
}
