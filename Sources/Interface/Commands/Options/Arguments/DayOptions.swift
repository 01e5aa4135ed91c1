package import ByteText
package import CommandLineKit
package import HealthModel
import HealthVault

/// The option for the time zone of days.
package struct DayOptions: Sendable {
    package var zone: String?

    package init() {}

    package static let elements: [GrammarElement<DayOptions>] = [
        .option(
            \.zone, "tz", value: "ZONE", default: "the export's",
            "the time zone of days: Europe/Berlin or +02:00",
            as: .text)
    ]

    /// The given rule for days; nil for that of the store, which is known only at the end of an export.
    ///
    /// - Throws: `UsageError` for a time zone that this computer does not know.
    package var given: Days? {
        get throws {
            guard let zone else { return nil }
            guard let days = try Days(zoneText: zone) else {
                throw UsageError(
                    .invalidValue, "unknown time zone '\(zone)'",
                    hint: "use a name such as Europe/Berlin or UTC, or an offset such as +02:00")
            }
            return days
        }
    }

    /// Returns the given rule for days, or that of a store if none was given.
    package func days(of store: any HealthStore) async throws -> Days {
        if let given = try given { return given }
        return try await store.days()
    }
}
