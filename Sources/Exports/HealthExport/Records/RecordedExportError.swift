public import ByteText
public import HealthArchive
public import SystemIO

/// The reason why a session of an export cannot be used, or not with what was asked for or with what is there.
public struct RecordedExportError: ClassifiedError, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// The session belongs to an export with other options, whose names are listed.
        case otherOptions([String])
        /// The session keeps what it has written of its output.
        case unfinished(BulkExportSessionIdentifier)
        /// The output of the session is no longer where it was.
        case outputMissing
        /// A part of the output of the session is missing.
        case outputCut
        /// The file or folder at the target is not the output of the session.
        case otherOutput
        /// There is no session of this name.
        case noSuchSession
        /// The name cannot be the name of a file.
        case invalidIdentifier
        /// Another process is using the session.
        case inUse
        /// The record of the session is damaged, or was written by a newer version.
        case unreadableRecord
    }

    /// The kind of reason.
    public let code: Code
    /// The path of the target, or the name of the session.
    public let path: BytePath

    /// Makes an error.
    init(_ code: Code, path: BytePath) {
        self.code = code
        self.path = path
    }
}

extension RecordedExportError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .otherOptions, .invalidIdentifier: .usage
        case .unfinished, .otherOutput: .targetExists
        case .outputMissing, .noSuchSession: .notFound
        case .outputCut, .unreadableRecord: .damaged
        case .inUse: .inUse
        }
    }

    /// What happened, and with which output, in a line that can be printed.
    public var description: String {
        let reason: TerminalText =
            switch code {
            case .otherOptions(let options):
                "the session belongs to an export with different \(options.joined(separator: ", "))"
            case .unfinished: "an interrupted export of everything keeps here what it has written"
            case .outputMissing: "written by this session, but now missing"
            case .outputCut: "written by this session, but a part of it is now missing"
            case .otherOutput: "not the output of this session"
            case .noSuchSession: "no such session"
            case .invalidIdentifier: "not a valid session name"
            case .inUse: "in use by another process"
            case .unreadableRecord: "the session's record is damaged or was written by a newer version"
            }
        return "\(path): \(reason.text)"
    }
}

/// The failure of an export that has a record, and can be continued.
public struct ResumableFailure: ClassifiedError, Sendable {
    /// What happened.
    public let error: VaultError
    /// The name of the session that continues it.
    public let session: BulkExportSessionIdentifier

    /// What it means.
    public var kind: ErrorKind { error.kind }
}
