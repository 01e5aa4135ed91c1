public import ByteText
public import HealthArchive
public import HealthModel

/// An error thrown when a synchronisation cannot be done or was cancelled.
///
/// No error contains a health value, a password or a token.
public struct SyncError: ClassifiedError, Sendable, Equatable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The source has no samples.
        case unavailable
        /// No types were given, or none of them is permitted.
        case noSpecifiedTypes
        /// A delegate refused, or the task was asked to stop.
        case operationCancelled
        /// The target cannot do what was asked.
        case notSupported
        /// The text is not the location of a target.
        case invalidTarget(String)
        /// The location of the target contains a password, where other users of the computer could see it.
        case passwordInTarget
        /// The environment names no folder for the lock of a server.
        case noStateFolder
        /// Another synchronisation with the target is running.
        case inUse
        /// The samples are perhaps not those that belong in the place of what the target has.
        case doubtful(SubjectDoubt)
        /// The target has something in the way that was not made by this program.
        case foreignTarget
        /// The tables of the target belong to another user of the server, or run what another one has made.
        case othersTarget
        /// The target cannot store a sample; the text is its code for the reason.
        ///
        /// A store throws it if this is so of one sample of a batch, which is then split until the sample is found.
        case unsuitable(String)
        /// The target takes no samples of a type; the text is its code for the reason.
        ///
        /// A store throws it in place of `unsuitable` once it has refused many batches one after the other.
        case unsuitableType(String)
        /// The anchors in the target are damaged, or were written by a newer version.
        case unreadableAnchors
        /// A library that the target needs is not installed.
        case missingLibrary(String)
        /// The target cannot be reached; the text says why, without values.
        case unreachable(String)
        /// The certificate of the target is not trusted; the text says why.
        case untrusted(String)
        /// There is no token; the text says why.
        case missingToken(String)
        /// The target refused the credentials.
        case refused
        /// The target failed; the text is its code for the reason.
        case targetFailed(String)
        /// The server has no database of this name.
        case missingDatabase
        /// The user may not do what is needed in the database.
        case notPermitted
        /// There is no room left for the target.
        case targetFull
        /// Another program has the target locked.
        case targetLocked
        /// The target is damaged; the text is its code for the reason.
        case targetDamaged(String)
    }

    /// The kind of failure.
    public let code: Code
    /// The type of the samples that were being synchronised; nil if the failure does not concern one.
    public let type: AnySampleType?

    /// Creates an error.
    public init(_ code: Code, of type: AnySampleType? = nil) {
        self.code = code
        self.type = type
    }
}

extension SyncError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .unavailable, .noSpecifiedTypes: .notFound
        case .operationCancelled: .interrupted
        case .notSupported: .unsupported
        case .invalidTarget, .passwordInTarget, .noStateFolder: .usage
        case .inUse, .targetLocked: .inUse
        case .doubtful(let doubt): doubt.kind
        case .foreignTarget, .othersTarget: .targetExists
        case .unreadableAnchors, .targetDamaged: .damaged
        case .missingLibrary, .missingToken, .refused, .targetFailed, .unsuitable, .unsuitableType,
            .missingDatabase, .notPermitted:
            .failed
        case .unreachable, .untrusted: .tryLater
        case .targetFull: .noSpace
        }
    }

    /// What happened, in a line.
    public var description: String {
        switch code {
        case .unavailable: "the source has no samples"
        case .noSpecifiedTypes: "no sample types to synchronise"
        case .operationCancelled: "synchronisation cancelled"
        case .notSupported: "not supported by this target"
        case .invalidTarget(let reason): reason
        case .passwordInTarget: "the location contains a password, which other users of the computer can see"
        case .noStateFolder: "neither XDG_STATE_HOME nor HOME is set"
        case .inUse: "another synchronisation with this target is running"
        case .doubtful(let doubt): "the source \(doubt)"
        case .foreignTarget: "the target contains something that this program did not write"
        case .othersTarget:
            "the tables of samples belong to another user of the server, or have a trigger that does"
        case .unsuitable(let reason): "the target cannot store a sample: \(reason)"
        case .unsuitableType(let reason): "the target takes no samples of a type: \(reason)"
        case .unreadableAnchors: "the anchors in the target are damaged, or were written by a newer version"
        case .missingLibrary(let name): "\(name) is not installed"
        case .unreachable(let reason): "cannot reach the target: \(reason)"
        case .untrusted(let reason): "the certificate of the target is not trusted: \(reason)"
        case .missingDatabase: "the server has no database of this name (SQLSTATE 3D000)"
        case .notPermitted: "the user has no permission in this database (SQLSTATE 42501)"
        case .missingToken(let reason): "no token: \(reason)"
        case .refused: "the target refused the credentials"
        case .targetFailed(let reason): "the target failed: \(reason)"
        case .targetFull: "there is no room left for the target"
        case .targetLocked: "another program has the target locked"
        case .targetDamaged(let reason): "the target is damaged: \(reason)"
        }
    }
}

extension SyncError: DoubtfulError {
    /// The doubt because of which an export was refused; nil for any other error.
    public var subjectDoubt: SubjectDoubt? { if case .doubtful(let doubt) = code { doubt } else { nil } }
}
