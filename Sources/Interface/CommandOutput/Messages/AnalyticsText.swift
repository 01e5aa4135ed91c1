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
        case .notAnalytics: ("choose another name", .unsupported)
        case .unsupportedVersion: (ToolVersion.newerNeeded, .unsupported)
        case .passphraseNeeded: ("", .usage)
        case .changed: ("nothing was changed; try again", .inUse)
        case .noSuchUser: ("", .notFound)
        case .noData: ("'healthvault types' shows what it contains", .notFound)
        case .tooManyDays: ("'healthvault export --since TIME' leaves older samples out", .unsupported)
        case .unknownZone: ("install the package tzdata", .failed)
        case .database: ("", .failed)
        case .container(let error): ContainerText.advice(error.code)
        case .io(let error): SystemText.advice(error)
        }
    }
}
