import ByteText
import HealthModel
import HealthQueries

/// The sections about best days and streaks, clinical records, and sources.
struct RecordSections {
    let collection: ReportCollection
    let period: ReportPeriod

    /// Returns the best days and the longest streaks.
    func records(_ sleep: DaySeries) -> [ReportBlock] {
        let series =
            ReportTypes.main.compactMap { type in
                collection.series.first { $0.type == type }?.series
            } + (sleep.values.isEmpty ? [] : [sleep])
        var best = ReportTable("Most in a day", "#Value", "@Day")
        for series in series {
            guard
                let day = series.values.filter({ period.isComplete(Int($0.day)) }).max(by: {
                    $0.value < $1.value
                })
            else { continue }
            best.rows.append(
                [series.title, series.text(day.value), CivilDate(daysSince1970: Int(day.day)).description])
        }
        var streaks = ReportTable("Longest streak", "#Days", "@From", "@To")
        let goals: [(AnySampleType, Double, String)] = [
            (.stepCount, 10_000, "10,000 steps or more"),
            (.appleExerciseTime, 30, "30 minutes of exercise or more"),
            (.flightsClimbed, 10, "10 flights of stairs or more"),
        ]
        for (type, least, title) in goals {
            guard let series = collection.series.first(where: { $0.type == type })?.series else { continue }
            append(streak(series, least), title, to: &streaks)
        }
        append(streak(sleep, 7), "7 hours of sleep or more", to: &streaks)
        guard !best.rows.isEmpty || !streaks.rows.isEmpty else { return [] }
        return [
            .table(title: "", best), .table(title: "", streaks),
            .text(
                "Only complete days count: the day of the export is left out. A day without data ends a streak."
            ),
        ]
    }

    private func append(_ streak: ClosedRange<Int>?, _ title: String, to table: inout ReportTable) {
        guard let streak else { return }
        let days = [streak.lowerBound, streak.upperBound].map { CivilDate(daysSince1970: $0).description }
        table.rows.append([title, ChartNumber.count(streak.count), days[0], days[1]])
    }

    /// Returns the days of the longest streak; nil if there is none.
    private func streak(_ series: DaySeries, _ least: Double) -> ClosedRange<Int>? {
        var (longest, current): (ClosedRange<Int>?, ClosedRange<Int>?)
        for value in series.values {
            let day = Int(value.day)
            guard value.value >= least, period.isComplete(day) else {
                current = nil
                continue
            }
            let first = current.map { $0.upperBound + 1 == day ? $0.lowerBound : day } ?? day
            current = first...day
            if day - first + 1 > longest?.count ?? 0 { longest = current }
        }
        return longest
    }

    /// Returns the clinical records by type, with their names and dates from the files.
    func clinical(_ store: any HealthStore) async throws -> [ReportBlock] {
        var files: [String: StoreFile] = [:]
        if !collection.clinical.isEmpty {
            for file in try await store.files(in: "clinical-records") { files[file.path] = file }
        }
        var blocks: [ReportBlock] = []
        for list in collection.clinical.sorted(by: { Self.rank($0) < Self.rank($1) }) {
            var records: [(date: String, row: [String])] = []
            for record in list.records {
                var summary = ResourceSummary()
                // A resource is small; anything larger is not read for its name.
                if let file = record.path.flatMap({ files[$0] }), file.length < 1 << 20 {
                    summary = ResourceSummary(of: try await store.bytes(of: file), period.days)
                }
                let received = record.received.map { period.days.day(of: $0.seconds).description } ?? ""
                let shown = summary.date ?? (received.isEmpty ? "" : "received \(received)")
                records.append((summary.date ?? received, [shown, summary.name ?? "", record.source]))
            }
            var table = ReportTable("@Date", "Name", "Source")
            table.rows = records.sorted { $0.date < $1.date }.map(\.row)
            let shown =
                list.count > list.records.count ? ", of which the first \(list.records.count) are listed" : ""
            blocks.append(
                .table(
                    title: "\(list.resourceType): \(ChartNumber.count(list.count, "record"))\(shown)", table)
            )
        }
        return blocks
    }

    /// Medications come first.
    private static func rank(_ list: ClinicalList) -> (Int, String) {
        (list.resourceType.hasPrefix("Medication") ? 0 : 1, list.resourceType)
    }

    /// Returns what each source recorded, and how much of it was recorded twice.
    var sources: [ReportBlock] {
        var merged = ReportTable(
            "Quantity", "#All records added up", "#Counted once", "#Recorded twice", "Sources")
        var totals: [String: (types: Int, samples: Int)] = [:]
        for (_, series) in collection.series {
            for source in series.sources {
                totals[source.name, default: (0, 0)].types += 1
                totals[source.name]?.samples += source.count
            }
            guard series.isSummed, series.sources.count > 1, series.rawTotal > 0 else { continue }
            let share = 1 - series.total / series.rawTotal
            merged.rows.append(
                [
                    series.title, series.text(series.rawTotal), series.text(series.total),
                    ChartNumber.text((share * 1000).rounded() / 1000, .percent),
                    series.sources.map(\.name).joined(separator: ", "),
                ])
        }
        var table = ReportTable("Source", "#Types of quantities", "#Samples")
        for (name, total) in totals.sorted(by: { ($1.value.samples, $0.key) < ($0.value.samples, $1.key) }) {
            table.rows.append([name, ChartNumber.count(total.types), ChartNumber.count(total.samples)])
        }
        guard !table.rows.isEmpty else { return [] }
        var blocks: [ReportBlock] = [
            .text(
                """
                A watch and a phone record the same walk. The rule for this report is \
                \(collection.request.merge.rule). Apple has not published its own, so totals may differ from those \
                in the Health app.
                """)
        ]
        if !merged.rows.isEmpty { blocks.append(.table(title: "", merged)) }
        return blocks + [.table(title: "", table)]
    }
}
