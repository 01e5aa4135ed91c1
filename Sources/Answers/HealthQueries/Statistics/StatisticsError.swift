public import HealthModel

/// An error thrown when statistics cannot be computed.
public struct StatisticsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reasons.
    public enum Code: Sendable, Equatable {
        /// An option is not applicable to the type.
        case unfit(StatisticsOption)
        /// The time from the first sample to the last has more intervals than can be returned.
        case tooManyIntervals
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

    /// What happened, in a printable line: `heartRate has no sum: its samples are not added up`.
    public var description: String {
        switch code {
        case .unfit(.sum): "\(type.printableName) has no sum: its samples are not added up"
        case .unfit(let option):
            "\(type.printableName) has no \(option.rawValue): its samples are added up"
        case .tooManyIntervals:
            "\(type.printableName) spans more than a million such intervals"
        }
    }
}
