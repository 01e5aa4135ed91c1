import ByteText
import HealthModel
import HealthQueries
import HealthVault
import Tables

/// Nights, as answers.
extension ExposedArchive {
    /// Answers `sleep`.
    func sleep(_ arguments: ToolArguments) async throws -> ToolAnswer {
        _ = try type(named: AnySampleType.sleepAnalysis.identifier)
        let range = try range(arguments)
        let found = try await nights(in: range)
        let asleep = found.sessions.filter { $0.timeAsleep > 0 }
        var overall: [TableObject.Member] = [
            ("nights", asleep.count),
            ("daysWithData", Set(asleep.map { days.dayNumber(of: $0.end.seconds) }).count),
            ("days", range.dayCount),
        ]
        overall += Self.times.map { name, time in
            ("mean\(name.prefix(1).uppercased())\(name.dropFirst())", asleep.meanMinutes(time))
        }
        if found.overlong > 0 { overall.append(("skipped", found.overlong)) }
        let columns: [TableColumn<SleepSession>] =
            [
                TableColumn("night") { $0.day(in: days) }, TableColumn("start") { local($0.start) },
                TableColumn("end") { local($0.end) },
            ] + Self.times.map { name, time in TableColumn(name) { (time($0) + 30) / 60 } }
            + [TableColumn("sources") { ForeignText.shown($0.sources.joined(separator: "; ")) }]
        var note =
            "minutes; a night belongs to the day on which it ends; time that several trackers recorded counts once; time in bed is not sleep"
        if let elsewhere = found.elsewhere { note += "; \(elsewhere)" }
        let table = Table(
            "rows", found.sessions.suffix(Self.mostNights), columns,
            facts: [("order", "oldest first"), ("note", note), ("overall", TableObject(overall))])
        return answer(table, in: range, total: found.sessions.count, keepsLatest: true)
    }

    private static let mostNights = 92

    /// Returns the nights that end in a range.
    func nights(in range: ExposedRange) async throws -> SleepTimes {
        // What is not exposed must not show in the length of the first night.
        let start = first
        var open = OpenSleepSessions(threshold: 3600)
        open.range = range.seconds
        if !hasGivenDays { open.zones = SleepZones(days) }
        var nights: [SleepSession] = []
        guard contents.extent(of: .sleepAnalysis) != nil else { return SleepTimes([], open) }
        for try await span in store.samples(.sleepAnalysis) {
            for sample in span where sample.startDate?.seconds ?? .min >= start {
                if let night = try open.add(sample) { nights.append(night.withoutSamples()) }
            }
        }
        let sessions = (nights + open.finish()).filter { range.seconds.contains($0.end.seconds) }
        return SleepTimes(sessions, open)
    }

    private static let times: [(name: String, time: @Sendable (SleepSession) -> Int)] = [
        ("asleep", { $0.timeAsleep }), ("core", { $0.duration(of: .asleepCore) }),
        ("deep", { $0.duration(of: .asleepDeep) }), ("rem", { $0.duration(of: .asleepREM) }),
        ("unspecified", { $0.duration(of: .asleepUnspecified) }), ("awake", { $0.timeAwake }),
        ("inBed", { $0.timeInBed }),
    ]
}

extension [SleepSession] {
    /// Returns the mean of a time in minutes; nil if there are no nights.
    func meanMinutes(_ time: (SleepSession) -> Int) -> Double? {
        isEmpty ? nil : (map { Double(time($0)) }.reduce(0, +) / 60 / Double(count)).rounded(toPlaces: 1)
    }
}
