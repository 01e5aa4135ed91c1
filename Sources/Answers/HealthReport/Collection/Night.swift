import ByteText
import HealthModel
import HealthQueries

/// A night or a nap, without its samples.
struct Night: Sendable {
    /// The day on which it ends, as days since 1970-01-01.
    private(set) var day: Int
    let start: Int
    private(set) var end: Int
    /// The seconds asleep, in each stage and awake.
    private(set) var asleep: Int
    private(set) var core: Int
    private(set) var deep: Int
    private(set) var rem: Int
    private(set) var unspecified: Int
    private(set) var awake: Int
    /// The number of samples of sleep by their sources; those of time in bed, awake, or without a length do not count.
    private(set) var sampleCounts: [String: Int]
    /// The seconds since 1970 in which the person slept, as sorted intervals that do not overlap.
    private(set) var sleep: [Range<Int>]

    init(_ session: SleepSession, _ days: Days) {
        day = days.dayNumber(of: session.end.seconds)
        start = session.start.seconds
        end = session.end.seconds
        asleep = session.timeAsleep
        core = session.duration(of: .asleepCore)
        deep = session.duration(of: .asleepDeep)
        rem = session.duration(of: .asleepREM)
        unspecified = session.duration(of: .asleepUnspecified)
        awake = session.timeAwake
        var counts: [String: Int] = [:]
        var intervals: [Range<Int>] = []
        for sample in session.samples {
            guard sample.value(as: SleepAnalysisValue.self)?.isAsleep == true,
                let start = sample.startDate?.seconds, let end = sample.endDate?.seconds, end > start
            else { continue }
            counts[sample.sourceName ?? "", default: 0] += 1
            if let last = intervals.last, start <= last.upperBound {
                intervals[intervals.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                intervals.append(start..<end)
            }
        }
        sleep = intervals
        sampleCounts = counts
    }

    /// Returns this night continued by a later one, with the gap between them as an interruption.
    func continued(by next: Night) -> Night {
        var night = self
        night.day = next.day
        night.end = next.end
        night.asleep += next.asleep
        night.core += next.core
        night.deep += next.deep
        night.rem += next.rem
        night.unspecified += next.unspecified
        night.awake += next.awake
        night.sampleCounts.merge(next.sampleCounts) { $0 + $1 }
        night.sleep += next.sleep
        return night
    }

    /// Whether a tracker distinguished stages.
    var isStaged: Bool { core + deep + rem > 0 }
}

/// The regularity of sleep.
enum SleepRegularity {
    /// Returns the sleep regularity index: the probability of being in the same state, asleep or awake, at two times
    /// that are 24 hours apart, from -100 (opposite) over 0 (by chance) to 100 (the same every day).
    ///
    /// States are compared minute by minute between consecutive days that both have sleep (Phillips and others, 2017).
    ///
    /// - Returns: nil if there are fewer than 5 such pairs of days.
    static func index(_ nights: [Night], _ days: Days) -> Double? {
        // Time in bed alone says nothing about sleep.
        let known = Set(nights.filter { !$0.sleep.isEmpty }.map(\.day))
        let sleep = nights.flatMap(\.sleep).sorted { $0.lowerBound < $1.lowerBound }
        var (pairs, same) = (0, 0)
        for day in known.sorted() where known.contains(day + 1) {
            // From noon to noon, so that a night is in one piece.
            let noon = days.start(ofDay: day) - 12 * 3600
            let first = minutes(sleep, from: noon)
            let second = minutes(sleep, from: noon + 86400)
            // A nap in the afternoon says nothing about the night before.
            guard first.contains(true), second.contains(true) else { continue }
            pairs += 1
            same += zip(first, second).count { $0 == $1 }
        }
        guard pairs >= 5 else { return nil }
        return -100 + 200 * Double(same) / Double(pairs * 1440)
    }

    /// Returns for each minute of 24 hours whether the person slept.
    private static func minutes(_ sleep: [Range<Int>], from start: Int) -> [Bool] {
        var minutes = [Bool](repeating: false, count: 1440)
        // The first interval that ends after the start.
        var (low, high) = (0, sleep.count)
        while low < high {
            let middle = (low + high) / 2
            if sleep[middle].upperBound <= start { low = middle + 1 } else { high = middle }
        }
        while low < sleep.count, sleep[low].lowerBound < start + 86400 {
            let from = max(0, (sleep[low].lowerBound - start) / 60)
            let to = min(1440, (sleep[low].upperBound - start) / 60)
            if from < to { for minute in from..<to { minutes[minute] = true } }
            low += 1
        }
        return minutes
    }
}
