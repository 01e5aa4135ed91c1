import CivilTime
import HealthModel
import HealthQueries

/// The rule for heart-rate zones: five, from half of the maximum heart rate on, each a tenth of it wide.
struct HeartRateZones: Sendable {
    /// How the maximum heart rate is known.
    enum Maximum: Sendable, Equatable {
        /// As stated, in beats per minute.
        case stated(Double)
        /// 220 less the age on the day of the workout, by the day of birth.
        case age(CivilDate)
    }

    let maximum: Maximum

    /// The names of the zones, and below them.
    static let names = [
        "below 50%", "zone 1: 50-60%", "zone 2: 60-70%", "zone 3: 70-80%", "zone 4: 80-90%", "zone 5: 90%+",
    ]

    /// Returns the maximum heart rate on a day, in beats per minute; nil if it would not be positive.
    func maximum(on day: CivilDate) -> Double? {
        switch maximum {
        case .stated(let value): return value
        case .age(let birth):
            let hadBirthday = (day.month, day.day) >= (birth.month, birth.day)
            let age = day.year - birth.year - (hadBirthday ? 0 : 1)
            return age >= 0 && age < 150 ? Double(220 - age) : nil
        }
    }

    /// Returns the number of the zone of a heart rate, 0 below the first.
    static func zone(_ heartRate: Double, maximum: Double) -> Int {
        // In steps of whole percents, so that 60% of 200 is not 59.999%.
        max(0, min(5, Int((heartRate * 10 / maximum + 1e-9).rounded(.down)) - 4))
    }

    /// The rule in words.
    var rule: String {
        let percent = "Zones are tenths of the maximum heart rate, from 50% on; the maximum is"
        return switch maximum {
        case .stated(let value): "\(percent) \(ChartNumber.text(value)) a minute, as stated."
        case .age: "\(percent) 220 less the age on that day, a rule of thumb that misses by ten or more."
        }
    }
}

/// The time that workouts spent in each zone, from heart rates in chronological order.
struct ZoneTally: Sendable {
    private struct Workout: Sendable {
        let range: Range<Int>
        let maximum: Double
        /// The seconds in each zone by source.
        var seconds: [String: [Int]] = [:]
        /// The latest measurement of each source: its time, its end and its zone.
        var latest: [String: (start: Int, end: Int, zone: Int)] = [:]

        mutating func count(_ source: String, until instant: Int) {
            guard let last = latest[source] else { return }
            let end = min(last.end, instant, range.upperBound)
            seconds[source, default: Array(repeating: 0, count: HeartRateZones.names.count)][last.zone] +=
                max(0, end - max(last.start, range.lowerBound))
        }
    }

    private var workouts: [Workout]
    /// The places of the workouts in the order in which they were given.
    private let places: [Int?]
    /// The first workout that may contain a later measurement.
    private var first = 0

    /// Creates a tally.
    ///
    /// - Parameters:
    ///   - ranges: When each workout starts and ends; nil for one that counts for nothing.
    ///   - zones: The rule.
    ///   - days: The rule for days.
    init(_ ranges: [Range<Int>?], _ zones: HeartRateZones, _ days: Days) {
        var found: [(index: Int, workout: Workout)] = []
        for (index, range) in ranges.enumerated() {
            guard let range, !range.isEmpty,
                let maximum = zones.maximum(on: days.day(of: range.lowerBound)), maximum > 0
            else { continue }
            found.append((index, Workout(range: range, maximum: maximum)))
        }
        found.sort { ($0.workout.range.lowerBound, $0.index) < ($1.workout.range.lowerBound, $1.index) }
        workouts = found.map(\.workout)
        var places = [Int?](repeating: nil, count: ranges.count)
        for (place, item) in found.enumerated() { places[item.index] = place }
        self.places = places
    }

    /// Adds a measurement, which starts no earlier than the one before.
    ///
    /// It applies until the next of its source, for at most ``TimeWeightedMean/longestGap``.
    mutating func add(_ heartRate: Double, start: Int, end: Int, source: String) {
        // Long workouts keep shorter ones behind them waiting, which costs only a look at each.
        while first < workouts.count, workouts[first].range.upperBound + TimeWeightedMean.longestGap < start {
            first += 1
        }
        let reach = max(end, start + TimeWeightedMean.longestGap)
        for index in first..<workouts.count {
            guard workouts[index].range.lowerBound < reach else { break }
            workouts[index].count(source, until: start)
            workouts[index].latest[source] = (
                start, end > start ? end : reach,
                HeartRateZones.zone(heartRate, maximum: workouts[index].maximum)
            )
        }
    }

    /// Returns the seconds in each zone of each workout, as the source that covers most of it measured them; nil if none
    /// did.
    func finished() -> [[Int]?] {
        let seconds = workouts.map { workout -> [Int]? in
            var workout = workout
            for source in workout.latest.keys { workout.count(source, until: .max) }
            let most = workout.seconds.max { left, right in
                let (mine, theirs) = (left.value.reduce(0, +), right.value.reduce(0, +))
                return mine != theirs
                    ? mine < theirs : right.key.utf8.lexicographicallyPrecedes(left.key.utf8)
            }
            return most.flatMap { $0.value.contains { $0 > 0 } ? $0.value : nil }
        }
        return places.map { $0.flatMap { seconds[$0] } }
    }
}
