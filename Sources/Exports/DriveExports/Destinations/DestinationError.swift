public import ByteText
public import SystemIO

/// A reason why a destination cannot be used.
public struct DestinationError: ClassifiedError, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// No destination has this name.
        case unknown
        /// A destination already has this name.
        case nameTaken
        /// The text is not a valid name.
        case badName
        /// The destination has no schedule.
        case noSchedule
        /// A file of destinations or schedules is cut off, or has a record that this version does not support.
        case unknownRecord
        /// The drive is not connected or not mounted.
        case notMounted
        /// Another drive, or a copy of the drive, is in its place.
        case otherDrive
        /// The file that marks the folder is missing.
        case markerMissing
        /// Its exports are encrypted, and the formats of a plain one were not named.
        case encrypted
        /// There is too little space: the minimum number of bytes needed, the number of free bytes, and whether exports are
        /// there that could be removed.
        case tooLittleSpace(needed: Int, free: Int, hasExports: Bool)
    }

    /// The kind of reason.
    public let code: Code
    /// The name of the destination.
    public let name: String
    /// The folder; empty if there is none.
    public let path: BytePath

    /// Creates an error.
    public init(_ code: Code, _ name: String, path: BytePath = "") {
        self.code = code
        self.name = name
        self.path = path
    }
}

extension DestinationError {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .unknown, .noSchedule, .otherDrive, .markerMissing: .notFound
        case .nameTaken: .targetExists
        case .badName, .encrypted: .usage
        case .unknownRecord: .unsupported
        case .notMounted: .tryLater
        case .tooLittleSpace: .noSpace
        }
    }
}
