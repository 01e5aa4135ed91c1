package import ByteText
import HealthArchive
import HealthModel

/// The sleep sessions of a query, and what is to be said about them.
package struct SleepTimes: Sendable {
    /// The sessions, in chronological order.
    package let sessions: [SleepSession]
    /// The number of samples in the time that last longer than ``SleepSession/longestSample``.
    package let overlong: Int
    /// The other time zone that most samples name; nil if most name none, or one with the hours of the days.
    package let elsewhere: SleepZones.Elsewhere?

    /// Creates the result.
    package init(_ sessions: [SleepSession], _ open: OpenSleepSessions) {
        self.sessions = sessions
        (overlong, elsewhere) = (open.overlong, open.zones?.elsewhere)
    }
}

/// The time zones that samples of sleep name, compared with that of the days.
///
/// An export has the hours of the phone's zone on its last day. Of an export made on a journey, all nights have wrong hours.
package struct SleepZones: Sendable {
    private let days: Days
    private var count = 0
    /// The numbers of samples that name a zone with another offset, by its name.
    private var others: [String: Int] = [:]
    /// The rules of zones; nil if this computer does not know a zone.
    private var known: [String: Days?] = [:]
    /// The content of the last sample and its zone: mostly, the next one has the same.
    private var last: (content: [UInt8], zone: String?) = ([], nil)

    /// More zones than there are.
    private static let most = 1000

    /// Creates a comparison with the zone of days.
    package init(_ days: Days) { self.days = days }

    /// Adds a sample with a start.
    mutating func add(_ sample: CategorySample, start: Int) {
        count += 1
        let content = sample.row.content
        if content != last.content || content.isEmpty { last = (content, sample.metadata.timeZone) }
        guard let name = last.zone, let rule = rule(of: name) else { return }
        if rule.offset(at: start) != days.offset(at: start) { others[name, default: 0] += 1 }
    }

    private mutating func rule(of name: String) -> Days? {
        if let rule = known[name] { return rule }
        guard known.count < Self.most else { return nil }
        let rule = (try? Days(zoneText: name)).flatMap(\.self)
        known[name] = .some(rule)
        return rule
    }

    /// A time zone that most samples name instead of that of the days.
    package struct Elsewhere: Sendable, Equatable, CustomStringConvertible {
        /// The zone that is named most often.
        package let zone: String
        /// The number of samples that name this zone or another one with other hours than the days.
        package let named: Int
        /// The number of all samples.
        package let count: Int

        /// What the samples say, as a part of a sentence.
        package var description: String {
            "another time zone is named by \(named) of \(count) samples, mostly \(zone)"
        }
    }

    /// The other zone that more than half of the samples name; nil if no more do: a journey is no reason for a hint.
    package var elsewhere: Elsewhere? {
        let named = others.values.reduce(0, +)
        let zone = others.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        guard let zone, 2 * named > count else { return nil }
        return Elsewhere(zone: zone, named: named, count: count)
    }
}
