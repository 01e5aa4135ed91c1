public import ByteText
import HealthArchive
public import SystemIO

/// The time zone of this computer, in which schedules run; the days of exports do not depend on it.
public enum LocalZone: Sendable {
    /// Returns the rule for days in the zone that `TZ` names, or else that of `/etc/localtime`, or else UTC.
    ///
    /// - Throws: `SystemError` if the file of the zone exists but cannot be read.
    public static func days() throws(SystemError) -> Days {
        guard let text = CurrentProcess.environment("TZ") else { return try days(file: "/etc/localtime") }
        return try days(named: text)
    }

    /// Returns the rule for the value of `TZ`, see tzset(3): a name, a path, with or without a colon.
    static func days(named text: String) throws(SystemError) -> Days {
        let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        if name.hasPrefix("/") { return try days(file: BytePath(name)) }
        if let days = try Days(zoneText: name) { return days }
        // A rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, which only the system can read: uses its current offset.
        return Days(offsetMinutes: SystemClock.localOffsetMinutes(at: SystemClock.now()))
    }

    private static func days(file path: BytePath) throws(SystemError) -> Days {
        guard let bytes = try ZoneFiles.bytes(at: path), let rules = ZoneRules(tzif: bytes.span) else {
            return .utc
        }
        let place = (try? Folder.canonical(path)) ?? path
        return Days(zone: (place.dropping(prefix: "/usr/share/zoneinfo/") ?? place).description, rules: rules)
    }
}
