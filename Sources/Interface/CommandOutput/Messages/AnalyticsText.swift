package import HealthAnalytics
import SystemIO
import VaultContainer

/// Advice on errors of databases of analytics.
package enum AnalyticsText {
    package static func advice(_ error: AnalyticsError) -> Advice {
        switch error.code {
        case .missing: ("'healthvault analytics init SOURCE --database FILE' makes one", .notFound)
        case .existing:
            ("use --overwrite to compute it anew, or 'healthvault analytics update'", .targetExists)
        case .inTheWay: ("move or delete it, then run the same command again", .targetExists)
        case .notAnalytics: ("choose another name", .unsupported)
        case .malformed: ("compute it anew with 'healthvault analytics init --overwrite'", .damaged)
        case .notArchive:
            (
                "'healthvault decrypt -o FILE.sqlite' decrypts it, and 'healthvault analytics show' reads it",
                .unsupported
            )
        case .unsupportedVersion: (ToolVersion.newerNeeded, .unsupported)
        case .passphraseNeeded: ("", .usage)
        case .changed: ("nothing was changed; try again", .inUse)
        case .noSuchUser: ("", .notFound)
        case .noData: ("'healthvault types' shows what it contains", .notFound)
        case .doubtful(let doubt): SubjectText.advice(doubt)
        case .tooManyDays: ("'healthvault export --since TIME' leaves older samples out", .unsupported)
        case .unknownZone: ("install the package tzdata", .failed)
        case .database: ("", .failed)
        case .container(let error): ContainerText.advice(error.code)
        case .io(let error): SystemText.advice(error)
        }
    }
}
