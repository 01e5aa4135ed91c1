import HealthModel
package import HealthQueries
import HealthVault
package import SystemIO

extension QueryError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .unfit:
            let fitting = StatisticsOption.allCases.filter { $0.fits(type) }.map(\.rawValue)
            return "available: \(fitting.joined(separator: ", "))"
        case .tooManyIntervals: return "use longer intervals, or --since and --until"
        case .tooManySamples: return "use --since and --until, such as year by year"
        // All samples are read whatever the times are, because a session may begin before them.
        case .tooManySessions: return "use --where, such as for one source"
        case .notSleep: return ""
        }
    }
}

extension StoreAnchorError: WordedError {
    /// What to do next.
    package var advice: TerminalText { "--since also takes the earlier export or archive itself" }
}

extension AnalyticsError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .missing: "'healthvault analytics init SOURCE --database FILE' makes one"
        case .existing:
            "use --overwrite to compute it anew, or 'healthvault analytics update'"
        case .inTheWay: "move or delete it, then run the same command again"
        case .notAnalytics: "choose another name"
        case .malformed: "compute it anew with 'healthvault analytics init --overwrite'"
        case .notArchive:

            "'healthvault decrypt -o FILE.sqlite' decrypts it, and 'healthvault analytics show' reads it"
        case .unsupportedVersion: ToolVersion.newerNeeded
        case .passphraseNeeded: ""
        case .changed: "nothing was changed; try again"
        case .noSuchUser: ""
        case .noData: "'healthvault types' shows what it contains"
        case .doubtful(let doubt): doubt.advice
        case .tooManyDays: "'healthvault export --since TIME' leaves older samples out"
        case .unknownZone: "install the package tzdata"
        case .database: ""
        case .container(let error): error.advice
        case .io(let error): error.advice
        }
    }
}
