import ByteText
import HealthArchive
import HealthModel

/// Reading and writing of settings.
extension AnalyticsDatabase {
    /// Stores the rules by which analytics are computed.
    func save(_ settings: AnalyticsSettings) throws {
        try set("days", settings.days?.zone ?? "")
        try set("firstWeekday", String(settings.firstWeekday.rawValue))
        switch settings.merge {
        case .priority(let names):
            try set("merge", "priority")
            try set("priority", SourceNames.text(names))
        case .maximumSource: try set("merge", "max-source")
        case .none: try set("merge", "none")
        }
    }

    /// Returns the rules by which analytics are computed.
    func settings() throws -> AnalyticsSettings {
        var settings = AnalyticsSettings()
        if let zone = try setting("days"), !zone.isEmpty {
            guard let days = try Days(zoneText: zone) else { throw UnknownZone() }
            settings.days = days
        }
        if let weekday = try setting("firstWeekday").flatMap({ Int($0) }).flatMap({ Weekday(rawValue: $0) }) {
            settings.firstWeekday = weekday
        }
        switch try setting("merge") {
        case "max-source": settings.merge = .maximumSource
        case "none": settings.merge = .none
        default: settings.merge = .priority(SourceNames.list(try setting("priority") ?? "[]"))
        }
        return settings
    }

    /// Stores whose data the rows are about.
    func save(_ subject: Subject) throws {
        try set("person", subject.person)
        try set("exportSeconds", subject.exportDate.map { String($0) } ?? "")
        try set("content", subject.content ?? "")
    }

    /// Returns whose data the rows are about; nil before any were computed.
    func subject() throws -> Subject? {
        guard let person = try setting("person") else { return nil }
        let content = try setting("content") ?? ""
        return Subject(
            person, exportDate: try setting("exportSeconds").flatMap { Int($0) },
            content: content.isEmpty ? nil : content)
    }
}
