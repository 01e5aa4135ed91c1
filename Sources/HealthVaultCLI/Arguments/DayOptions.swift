import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches

/// The option for days.
struct DayOptions: Sendable {
    var zone: String?

    static let elements: [GrammarElement<DayOptions>] = [
        .option(
            \.zone, "tz", value: "ZONE", default: "the export's",
            "the time zone of days: Europe/Berlin or +02:00",
            as: .text)
    ]

    /// The rule for days that was given; nil for the store's own, which an export tells only at its end.
    ///
    /// - Throws: `UsageError` for a zone that this computer does not know.
    var given: Days? {
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

    /// Returns the rule for days that was given, or else that of a store.
    func days(of store: any HealthStore) async throws -> Days {
        if let given = try given { return given }
        return try await store.days()
    }
}
