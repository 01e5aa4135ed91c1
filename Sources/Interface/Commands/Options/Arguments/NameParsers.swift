package import CommandLineKit
import HealthVault

extension ValueParser where Value == String {
    /// The name of a destination.
    package static var destination: Self {
        Self(expected: "the name of a destination", completion: .names(destinations)) { $0 }
    }

    /// The name of a session.
    package static var session: Self {
        Self(expected: "the name of a session", completion: .names(sessions)) { $0 }
    }

    private static func destinations() -> [String] {
        (try? ConfigurationOption().destinations.all().map(\.name)) ?? []
    }

    private static func sessions() -> [String] {
        (try? StateFolderOption().records().all().map(\.record.identifier.text)) ?? []
    }
}
