public import SystemIO

/// A reason for which a destination cannot be used.
public struct DestinationError: Error, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// No destination has this name.
        case unknown
        /// A destination has this name already.
        case nameTaken
        /// The text cannot be a name.
        case badName
        /// The destination has no schedule.
        case noSchedule
        /// The drive is not there.
        case notMounted
        /// Another drive is at its place, or a copy of it.
        case otherDrive
        /// The folder has lost the file that marks it.
        case markerMissing
        /// There is too little space: bytes that are needed, at least, and bytes that are free.
        case tooLittleSpace(needed: Int, free: Int)
    }

    /// The kind of reason.
    public let code: Code
    /// The name of the destination.
    public let name: String
    /// The folder; empty if there is none.
    public let path: BytePath

    /// Makes an error.
    public init(_ code: Code, _ name: String, path: BytePath = "") {
        self.code = code
        self.name = name
        self.path = path
    }

    /// Whether it may work at another time without anybody doing more than connecting the drive.
    public var isTemporary: Bool { code == .notMounted }
}
