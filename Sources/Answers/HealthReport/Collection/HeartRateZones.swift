import ByteText
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
            let age = birth.age(on: day)
            return age >= 0 && age < 150 ? Double(220 - age) : nil
        }
    }

    /// Returns the number of the zone of a heart rate, 0 below the first.
    static func zone(_ heartRate: Double, maximum: Double) -> Int {
        // In steps of whole percents, so that 60% of 200 is not 59.999%.
        Int(max(0, min(5, (heartRate * 10 / maximum + 1e-9).rounded(.down) - 4)))
    }

    /// The rule in words.
    var rule: String {
        let percent = "Zones are tenths of the maximum heart rate, from 50% on; the maximum is"
        return switch maximum {
        case .stated(let value): "\(percent) \(ChartNumber.text(value)) bpm, as stated."
        case .age: "\(percent) 220 less the age on that day, a rule of thumb that misses by ten or more."
        }
    }
}

extension CivilDate {
    /// Returns the age on a day of who was born on this one; negative before.
    func age(on day: CivilDate) -> Int {
        day.year - year - ((day.month, day.day) >= (month, self.day) ? 0 : 1)
    }
}

/// The time that workouts spent in each zone, from heart rates in chronological order.
///
/// Each source has a running total of the time in each zone, which is looked at when a workout starts and when it ends. So
/// a measurement costs the same, however many workouts it lies in.
struct ZoneTally: Sendable {
    private struct Workout: Sendable {
        let range: Range<Int>
        /// The number of its maximum heart rate.
        let maximum: Int
        /// The totals at its start by source, while it lasts.
        var before: [[Int]] = []
        /// The seconds in each zone; nil if no source measured any.
        var seconds: [Int]?
    }

    /// The totals of a source.
    private struct Track: Sendable {
        let source: String
        /// The seconds in each zone until the latest measurement, by maximum.
        var seconds: [[Int]]
        var latest: Measurement
    }

    /// A measurement, which applies from its start to its end or to the next one of its source.
    private struct Measurement: Sendable {
        let start: Int
        let end: Int
        /// The mean of those at its start.
        var rate: InstantMean
    }

    private var workouts: [Workout]
    /// The workouts in the order of their ends.
    private let ends: [Int]
    /// The maximum heart rates of all workouts.
    private let maxima: [Double]
    /// The places of the workouts in the order in which they were given.
    private let places: [Int?]
    /// The first workout that has not started, and the first in the order of ends that has not ended.
    private var next = (start: 0, end: 0)
    private var tracks: [Track] = []
    private var numbers: [String: Int] = [:]

    /// Creates a tally.
    ///
    /// - Parameters:
    ///   - ranges: When each workout starts and ends; nil for one that counts for nothing.
    ///   - zones: The rule.
    ///   - days: The rule for days.
    init(_ ranges: [Range<Int>?], _ zones: HeartRateZones, _ days: Days) {
        var found: [(index: Int, workout: Workout)] = []
        var maxima: [Double] = []
        for (index, range) in ranges.enumerated() {
            guard let range, !range.isEmpty,
                let maximum = zones.maximum(on: days.day(of: range.lowerBound)), maximum > 0
            else { continue }
            if !maxima.contains(maximum) { maxima.append(maximum) }
            found.append((index, Workout(range: range, maximum: maxima.firstIndex(of: maximum) ?? 0)))
        }
        found.sort { ($0.workout.range.lowerBound, $0.index) < ($1.workout.range.lowerBound, $1.index) }
        let workouts = found.map(\.workout)
        self.workouts = workouts
        ends = workouts.indices.sorted { workouts[$0].range.upperBound < workouts[$1].range.upperBound }
        self.maxima = maxima
        var places = [Int?](repeating: nil, count: ranges.count)
        for (place, item) in found.enumerated() { places[item.index] = place }
        self.places = places
    }

    /// Adds measurements of a span.
    mutating func add(_ samples: Samples<QuantitySample>) {
        var columns = QuantityColumns(unit: .count / .minute)
        columns.append(samples)
        let order = columns.order
        for place in 0..<columns.count {
            let sample = columns[place, in: order]
            add(
                sample.value, start: sample.start, end: sample.end,
                source: columns.sources[sample.source].name)
        }
    }

    /// Adds a measurement, which starts no earlier than the one before; of those with the same start, the ones without a
    /// duration come first.
    ///
    /// It applies until the next of its source, for at most ``TimeWeightedMean/longestGap``. Those of a source at one instant
    /// are one, with their mean.
    mutating func add(_ heartRate: Double, start: Int, end: Int, source: String) {
        advance(to: start)
        let latest = Measurement(
            start: start, end: end > start ? end : start + TimeWeightedMean.longestGap,
            rate: InstantMean(heartRate, start: start, end: end))
        guard let number = numbers[source] else {
            numbers[source] = tracks.count
            let zones = [Int](repeating: 0, count: HeartRateZones.names.count)
            tracks.append(
                Track(
                    source: source, seconds: Array(repeating: zones, count: maxima.count), latest: latest))
            return
        }
        if tracks[number].latest.rate.add(heartRate, start: start, end: end) { return }
        for maximum in maxima.indices {
            let (zone, seconds) = unfinished(tracks[number].latest, until: start, maximum)
            tracks[number].seconds[maximum][zone] += seconds
        }
        tracks[number].latest = latest
    }

    /// Returns the zone of a measurement, and for how long it applied until an instant.
    private func unfinished(_ latest: Measurement, until instant: Int, _ maximum: Int) -> (Int, Int) {
        (
            HeartRateZones.zone(latest.rate.mean, maximum: maxima[maximum]),
            max(0, min(latest.end, instant) - latest.start)
        )
    }

    /// Returns the seconds that a source measured in each zone until an instant after its latest measurement.
    private func total(_ track: Track, until instant: Int, _ maximum: Int) -> [Int] {
        var total = track.seconds[maximum]
        let (zone, seconds) = unfinished(track.latest, until: instant, maximum)
        total[zone] += seconds
        return total
    }

    /// Starts and ends the workouts that do so until an instant.
    private mutating func advance(to instant: Int) {
        while next.end < ends.count {
            let end = workouts[ends[next.end]].range.upperBound
            let start = next.start < workouts.count ? workouts[next.start].range.lowerBound : .max
            guard min(start, end) <= instant else { return }
            if start <= end {
                let maximum = workouts[next.start].maximum
                workouts[next.start].before = tracks.map { total($0, until: start, maximum) }
                next.start += 1
            } else {
                finish(ends[next.end])
                next.end += 1
            }
        }
    }

    /// Finds the source that covers most of a workout; of two, the first by name.
    private mutating func finish(_ index: Int) {
        let workout = workouts[index]
        workouts[index].before = []
        var most: (count: Int, source: String, seconds: [Int])?
        for (number, track) in tracks.enumerated() {
            var seconds = total(track, until: workout.range.upperBound, workout.maximum)
            if number < workout.before.count {
                for zone in seconds.indices { seconds[zone] -= workout.before[number][zone] }
            }
            let count = seconds.reduce(0, +)
            let isFirst =
                most.map { most in
                    count > most.count
                        || count == most.count
                            && track.source.utf8.lexicographicallyPrecedes(most.source.utf8)
                } ?? true
            if count > 0, isFirst { most = (count, track.source, seconds) }
        }
        workouts[index].seconds = most?.seconds
    }

    /// Returns the seconds in each zone of each workout, as the source that covers most of it measured them; nil if none
    /// did.
    func finished() -> [[Int]?] {
        var tally = self
        tally.advance(to: .max)
        return tally.places.map { place in place.flatMap { tally.workouts[$0].seconds } }
    }
}
