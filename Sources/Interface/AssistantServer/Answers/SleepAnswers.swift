import ByteText
import HealthModel
import HealthQueries
import HealthVault

/// Nights, as answers.
extension ExposedArchive {
    /// Answers `sleep`.
    func sleep(_ arguments: ToolArguments) async throws -> ToolAnswer {
        _ = try type(named: AnySampleType.sleepAnalysis.identifier)
        let range = try range(arguments)
        let found = try await nights(in: range)
        let nights = found.sessions
        var answer = answer()
        range.describe(in: &answer)
        answer.fact(
            "note",
            "minutes; a night belongs to the day on which it ends; time that several trackers recorded counts once; time in bed is not sleep"
        )
        let asleep = nights.filter { $0.timeAsleep > 0 }
        let nightDays = Set(asleep.map { days.dayNumber(of: $0.end.seconds) }).count
        answer.fact("overall") { writer in
            writer.object { writer in
                writer.member("nights", asleep.count)
                writer.member("daysWithData", nightDays)
                writer.member("days", range.dayCount)
                for (name, time) in Self.times {
                    writer.key("mean\(name.prefix(1).uppercased())\(name.dropFirst())")
                    let total = asleep.map { Double(time($0)) }.reduce(0, +)
                    writer.number(
                        asleep.isEmpty ? nil : (total / 60 / Double(asleep.count)).rounded(toPlaces: 1))
                }
                if found.overlong > 0 { writer.member("skipped", found.overlong) }
            }
        }
        answer.keepsLatest = true
        answer.columns = ["night", "start", "end"] + Self.times.map(\.name) + ["sources"]
        for night in nights.suffix(Self.mostNights) {
            answer.row { writer in
                writer.string(night.day(in: days).description)
                writer.string(days.timestamp(night.start.seconds).iso)
                writer.string(days.timestamp(night.end.seconds).iso)
                for (_, time) in Self.times { writer.integer((time(night) + 30) / 60) }
                writer.string(ForeignText.shown(night.sources.joined(separator: "; ")))
            }
        }
        answer.total = nights.count
        return answer
    }

    private static let mostNights = 92

    /// Returns the nights that end in a range, and the number of samples in it that last too long to count.
    func nights(in range: ExposedRange) async throws -> (sessions: [SleepSession], overlong: Int) {
        guard contents.extent(of: .sleepAnalysis) != nil else { return ([], 0) }
        // What is not exposed must not show in the length of the first night.
        let start = first
        var open = OpenSleepSessions(threshold: 3600)
        open.range = range.seconds
        var nights: [SleepSession] = []
        for try await span in store.samples(.sleepAnalysis) {
            for sample in span where sample.startDate?.seconds ?? .min >= start {
                if let night = try open.add(sample) { nights.append(night.withoutSamples()) }
            }
        }
        let sessions = (nights + open.finish()).filter { range.seconds.contains($0.end.seconds) }
        return (sessions, open.overlong)
    }

    private static let times: [(name: String, time: @Sendable (SleepSession) -> Int)] = [
        ("asleep", { $0.timeAsleep }), ("core", { $0.duration(of: .asleepCore) }),
        ("deep", { $0.duration(of: .asleepDeep) }), ("rem", { $0.duration(of: .asleepREM) }),
        ("unspecified", { $0.duration(of: .asleepUnspecified) }), ("awake", { $0.timeAwake }),
        ("inBed", { $0.timeInBed }),
    ]
}
