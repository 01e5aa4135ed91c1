import ArchiveWriting
import HealthArchive
import SystemIO

/// The facts about a session's output and source that determine its next step.
struct ExportFindings: Sendable, Equatable {
    /// What exists at the path of the session's newest finished output.
    enum Output: Sendable, Equatable {
        /// The session has no finished output.
        case none
        /// The session's own finished output.
        case own
        /// The session's own finished output, of which a part is missing.
        case cut
        /// Something else.
        case other
        /// Nothing.
        case missing
    }

    /// What exists at the path of the finished output.
    var output: Output
    /// Whether the source is the one that the session started with; nil until it is opened.
    var isSameSource: Bool?
    /// Whether a further container that was started can be continued under its name.
    var isPendingFree: Bool
    /// The first free name for a further container.
    var freeName: BytePath
}

extension ExportFindings {
    /// Inspects what a session left behind.
    init(of stored: ExportRecord) {
        output = Self.output(of: stored)
        isPendingFree = stored.pendingIsFree
        freeName = FurtherName.free(for: stored.target, from: stored.further.count + 2)
    }

    private static func output(of stored: ExportRecord) -> Output {
        guard let expected = stored.identity else { return .none }
        if OutputIdentity.of(stored.newest, isEncrypted: stored.isEncrypted) == expected {
            return stored.isWhole ? .own : .cut
        }
        let isMissing = (try? FileStatus(at: stored.newest, followingLinks: false)) == nil
        return isMissing ? .missing : .other
    }
}
