import HealthModel
package import HealthQueries
import SystemIO

/// Advice on statistics that cannot be computed.
package enum StatisticsText {
    package static func advice(_ error: StatisticsError) -> Advice {
        switch error.code {
        case .unfit:
            let fitting = StatisticsOption.allCases.filter { $0.fits(error.type) }.map(\.rawValue)
            return ("available: \(fitting.joined(separator: ", "))", .usage)
        case .tooManyIntervals:
            return ("choose longer intervals, or limit the time with --since and --until", .failed)
        }
    }
}
