import HealthModel
package import HealthQueries
import SystemIO

/// Advice on queries that cannot be answered.
package enum QueryText {
    package static func advice(_ error: QueryError) -> Advice {
        switch error.code {
        case .unfit:
            let fitting = StatisticsOption.allCases.filter { $0.fits(error.type) }.map(\.rawValue)
            return ("available: \(fitting.joined(separator: ", "))", .usage)
        case .tooManyIntervals: return ("use longer intervals, or --since and --until", .usage)
        case .tooManySamples: return ("use --since and --until, such as year by year", .usage)
        // All samples are read whatever the times are, because a session may begin before them.
        case .tooManySessions: return ("use --where, such as for one source", .usage)
        case .notSleep, .anchorOfOtherType, .anchorOfOtherStore: return ("", .failed)
        }
    }
}
