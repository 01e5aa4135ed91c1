public import ByteText
public import HealthModel

/// An error thrown when a query cannot be answered.
public struct QueryError: ClassifiedError, Sendable, Equatable {
    /// The reasons.
    public enum Code: Sendable, Equatable {
        /// A value that is not applicable to the type was asked for, such as the sum of heart rates.
        case unfit(StatisticsOption)
        /// The samples are in too many intervals, or so long that each would be counted in too many.
        case tooManyIntervals
        /// There are more samples than are kept in memory.
        case tooManySamples
        /// There are more sleep sessions, or samples in one of them, than are kept in memory.
        case tooManySessions
        /// A sample of this type was given where only samples of sleep are read.
        case notSleep
    }

    /// The reason.
    public let code: Code
    /// The type.
    public let type: AnySampleType

    /// Creates the error.
    public init(_ code: Code, _ type: AnySampleType) {
        self.code = code
        self.type = type
    }
}

extension QueryError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .unfit, .tooManyIntervals, .tooManySamples, .tooManySessions: .usage
        case .notSleep: .failed
        }
    }

    /// What happened, in a printable line: `heartRate has no sum: its samples are not added up`.
    public var description: String {
        switch code {
        case .unfit(.sum): "\(type.printableName) has no sum: its samples are not added up"
        case .unfit(let option):
            "\(type.printableName) has no \(option.rawValue): its samples are added up"
        case .tooManyIntervals:
            "samples of \(type.printableName) are in more than \(StatisticsQuery.mostIntervals) such intervals, or have more than \(StatisticsQuery.mostParts) parts in them"
        case .tooManySamples:
            "there are more samples of \(type.printableName) than are computed at a time"
        case .tooManySessions:
            "there are more sleep sessions, or samples in one of them, than are computed at a time"
        case .notSleep: "a sample of \(type.printableName) is not a sample of sleep"
        }
    }
}
