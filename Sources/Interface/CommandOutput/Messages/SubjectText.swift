package import HealthVault
import SystemIO

/// Advice on exports that are perhaps not those that belong in the place of what is there.
package enum SubjectText {
    package static func advice(_ doubt: SubjectDoubt) -> Advice {
        switch doubt {
        case .other: ("nothing was changed; use a place of its own for each person", .usage)
        case .older: ("nothing was changed; use the newest export, or --allow-older", .usage)
        case .deletions: ("nothing was changed; if that is right, use --allow-deletions", .usage)
        case .unnamed(let person):
            ("nothing was changed; use --person \(ShellQuoting.quote(BytePath(person)))", .usage)
        case .many: ("nothing was changed; name the person with --person", .usage)
        case .named(let person):
            (
                "nothing was changed; use --person \(ShellQuoting.quote(BytePath(person))), or a place of its own for each person",
                .usage
            )
        }
    }

    /// Returns the doubt because of which an export was refused; nil for any other error.
    package static func doubt(_ error: any Error) -> SubjectDoubt? {
        switch error {
        case let error as SyncError:
            if case .doubtful(let doubt) = error.code { doubt } else { nil }
        case let error as AnalyticsError:
            if case .doubtful(let doubt) = error.code { doubt } else { nil }
        case let error as IncrementError: error.doubt
        default: nil
        }
    }
}
