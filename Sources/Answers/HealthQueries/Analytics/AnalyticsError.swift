public import ByteText
import Database
public import HealthArchive
public import SystemIO
public import VaultContainer

/// An error of a database of analytics.
public struct AnalyticsError: ClassifiedError, Sendable, Equatable {
    /// The reasons.
    public enum Code: Sendable, Equatable {
        /// There is no file at the path.
        case missing
        /// A file exists at the path, where a new database should be.
        case existing
        /// A file that is not the library's has the temporary name of the database.
        case inTheWay
        /// The file is not a database of analytics.
        case notAnalytics
        /// SQLite finds the database damaged.
        case malformed
        /// The file is a database of analytics, where an archive is needed.
        case notArchive
        /// The file's version is not supported.
        case unsupportedVersion
        /// A passphrase is needed to open the database.
        case passphraseNeeded
        /// Another process or library has changed the file since it was read.
        case changed
        /// The database has no such user.
        case noSuchUser
        /// The store contains none of the samples that analytics are computed from.
        case noData
        /// The store is perhaps not one that belongs in the place of what the database was computed from.
        case doubtful(SubjectDoubt)
        /// The samples are on more days than a person lives.
        case tooManyDays
        /// The computer does not know the time zone of the days.
        case unknownZone
        /// SQLite reported this reason, which contains neither values nor names.
        case database(reason: String)
        /// The container cannot be read or written.
        case container(ContainerError)
        /// The system reported an error.
        case io(SystemError)
    }

    /// The most days with data that are computed: a hundred years.
    static let mostDays = 36_525

    /// The reason.
    public let code: Code
    /// The database.
    public let path: BytePath

    /// Creates the error.
    public init(_ code: Code, path: BytePath) {
        self.code = code
        self.path = path
    }

    /// Returns an error of this module unchanged, or one of the modules below as an error of this one.
    static func wrapping(_ error: any Error, path: BytePath) -> any Error {
        switch error {
        case let error as DatabaseError: AnalyticsError(.database(reason: error.description), path: path)
        case let error as ContainerError: AnalyticsError(.container(error), path: path)
        case let error as SystemError: AnalyticsError(.io(error), path: path)
        case is UnknownZone: AnalyticsError(.unknownZone, path: path)
        default: error
        }
    }
}

extension AnalyticsError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .missing, .noSuchUser, .noData: .notFound
        case .existing, .inTheWay: .targetExists
        case .notAnalytics, .notArchive, .unsupportedVersion, .tooManyDays: .unsupported
        case .malformed: .damaged
        case .passphraseNeeded: .usage
        case .changed: .inUse
        case .doubtful(let doubt): doubt.kind
        case .unknownZone, .database: .failed
        case .container(let error): error.kind
        case .io(let error): error.kind
        }
    }

    /// What happened, in a printable line.
    public var description: String {
        let reason =
            switch code {
            case .missing: "no such file"
            case .existing: "already exists"
            case .inTheWay: "is in the way, and not known to be what an interrupted update left"
            case .notAnalytics: "is not a database of analytics"
            case .malformed: "the database in it is damaged"
            case .notArchive: "is an encrypted database of analytics, not an archive"
            case .unsupportedVersion: "was written by a newer version"
            case .passphraseNeeded: "is encrypted"
            case .changed: "was changed by another process"
            case .noSuchUser: "has no such user"
            case .noData: "the source contains no samples for analytics"
            case .doubtful(let doubt): "not changed: the source \(doubt)"
            case .tooManyDays: "the source has samples on more than \(Self.mostDays) days"
            case .unknownZone: "this computer does not know the time zone of its days"
            case .database(let reason): reason
            case .container(let error): "\(error)"
            case .io(let error): "\(error)"
            }
        return "\(path): \(reason)"
    }
}

/// The time zone of a database's days is unknown on this computer.
struct UnknownZone: Error {}

extension AnalyticsError: DoubtfulError {
    /// The doubt because of which an export was refused; nil for any other error.
    public var subjectDoubt: SubjectDoubt? { if case .doubtful(let doubt) = code { doubt } else { nil } }
}
