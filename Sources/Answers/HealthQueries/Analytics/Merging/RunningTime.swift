import ByteText
import HealthModel

/// The time of running workouts, as sorted intervals that do not overlap.
struct RunningTime: Sendable {
    private var intervals: [(start: Int, end: Int)] = []

    init(_ runs: [(start: Int, end: Int)]) {
        for run in runs.sorted(by: { $0 < $1 }) {
            if let last = intervals.last, run.start <= last.end {
                intervals[intervals.count - 1].end = max(last.end, run.end)
            } else {
                intervals.append(run)
            }
        }
    }

    /// Splits pieces into those outside of running workouts and those in them.
    func split(_ pieces: [SweptInterval.Piece]) -> [[SweptInterval.Piece]] {
        var (walking, running): ([SweptInterval.Piece], [SweptInterval.Piece]) = ([], [])
        for piece in pieces {
            forEachPart(piece.start, piece.end) { start, end, isRunning in
                let part = SweptInterval.Piece(index: piece.index, start: start, end: end)
                if isRunning { running.append(part) } else { walking.append(part) }
            }
        }
        return [walking, running]
    }

    /// Splits an interval into parts in and outside of running workouts.
    ///
    /// - Parameter body: Called with the start and the end of each part, and whether it is running.
    private func forEachPart(_ start: Int, _ end: Int, _ body: (Int, Int, Bool) -> Void) {
        var (low, high) = (0, intervals.count)
        while low < high {
            let middle = (low + high) / 2
            if intervals[middle].end <= start { low = middle + 1 } else { high = middle }
        }
        if start == end {
            body(start, end, low < intervals.count && intervals[low].start <= start)
            return
        }
        var (cursor, next) = (start, low)
        while cursor < end {
            guard next < intervals.count, intervals[next].start < end else {
                body(cursor, end, false)
                return
            }
            let run = intervals[next]
            if run.start > cursor { body(cursor, run.start, false) }
            let from = max(cursor, run.start)
            cursor = min(end, run.end)
            body(from, cursor, true)
            next += 1
        }
    }
}

extension Workout {
    /// When its runs start and end: all of a run, and the parts of a triathlon that measured running.
    var runs: [(start: Int, end: Int)] {
        func interval(_ start: Timestamp?, _ end: Timestamp?) -> [(start: Int, end: Int)] {
            guard let start, let end, start.seconds < end.seconds else { return [] }
            return [(start.seconds, end.seconds)]
        }
        switch activityType {
        case .running: return interval(startDate, endDate)
        case .swimBikeRun:
            return activities.filter { activity in
                activity.statistics.contains {
                    $0.type == SampleType<QuantitySample>.distanceWalkingRunning.erased
                }
            }.flatMap { interval($0.startDate, $0.endDate) }
        default: return []
        }
    }
}
