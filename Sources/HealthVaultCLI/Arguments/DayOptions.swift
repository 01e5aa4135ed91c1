import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches

/// The options for days and weeks.
struct DayOptions: Sendable {
    var zone: String?
    var weekStart = DayName.monday

    /// The days of the week, as people write them.
    enum DayName: String, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        var weekday: Weekday { Weekday(rawValue: 1 + (Self.allCases.firstIndex(of: self) ?? 0)) ?? .monday }
    }

    static let elements: [GrammarElement<DayOptions>] = [
        .option(
            \.zone, "tz", value: "ZONE", "days in this time zone (Europe/Berlin, +02:00), not the export's",
            as: .text),
        .option(
            \.weekStart, "week-start", value: "DAY", "the first day of a week; default monday", as: .choice),
    ]

    /// Returns the rule for days.
    ///
    /// - Throws: `UsageError` for a zone that this computer does not know.
    func days(of store: any HealthStore) async throws -> Days {
        let days: Days
        if let zone {
            days = try self.days(inZone: zone)
        } else {
            days = try await store.days()
        }
        return days.startingWeeks(on: weekStart.weekday)
    }

    /// Returns the rule for days that was given; nil if it is the store's own, which an export tells only at its end.
    func given(for store: any HealthStore) async throws -> Days? {
        zone == nil && weekStart == .monday ? nil : try await days(of: store)
    }

    private func days(inZone zone: String) throws -> Days {
        guard let days = try Days(zoneText: zone) else {
            throw UsageError(
                .invalidValue, "there is no time zone '\(zone)' on this computer",
                hint: "use a name such as Europe/Berlin, UTC or an offset such as +02:00")
        }
        return days
    }
}
