import HealthArchive
import SystemIO

/// What is known of a session's output and source when its next step is decided.
struct ExportFindings: Sendable, Equatable {
    /// What is found in place of the session's newest finished output.
    enum Output: Sendable, Equatable {
        /// The session has finished none.
        case none
        /// The output that the session has finished.
        case own
        /// Something else.
        case other
        /// Nothing.
        case missing
    }

    /// What is found in place of the finished output.
    var output: Output
    /// Whether the source is the one that the session was begun with; nil until it was opened.
    var isSameSource: Bool?
    /// Whether a further container that was begun can be continued under its name.
    var isPendingFree: Bool
    /// The first free name for a further container.
    var freeName: BytePath

    /// Looks at what a session has left.
    init(of stored: ExportRecord) {
        output = Self.output(of: stored)
        isPendingFree = stored.pendingIsFree
        freeName = FurtherName.free(for: stored.target, from: stored.further.count + 2)
    }

    init(output: Output, isSameSource: Bool?, isPendingFree: Bool, freeName: BytePath) {
        self.output = output
        self.isSameSource = isSameSource
        self.isPendingFree = isPendingFree
        self.freeName = freeName
    }

    private static func output(of stored: ExportRecord) -> Output {
        guard let expected = stored.identity else { return .none }
        if OutputIdentity.of(stored.newest, isEncrypted: stored.isEncrypted) == expected { return .own }
        let isMissing = (try? FileStatus(at: stored.newest, followingLinks: false)) == nil
        return isMissing ? .missing : .other
    }
}
