import ByteText
import HealthModel
import HealthQueries

/// The sections that consist of charts of quantities.
struct QuantitySections {
    let collection: ReportCollection
    let period: ReportPeriod

    /// Quantities for which people ask how years and days of the week differ.
    private static let detailed: Set<AnySampleType> = [.stepCount, .activeEnergyBurned, .appleExerciseTime]
    /// The order of quantities; all others follow by title.
    private static let order: [AnySampleType] =
        ReportTypes.main + [
            .heartRate, .restingHeartRate, .walkingHeartRateAverage, .heartRateVariabilitySDNN, .vo2Max,
            .bodyMass, .bodyMassIndex, .bodyFatPercentage, .bloodPressureSystolic, .bloodPressureDiastolic,
            .bloodOxygen, .respiratoryRate, .bodyTemperature, .bloodGlucose, .dietaryEnergyConsumed,
            .dietaryProtein, .dietaryCarbohydrates, .dietaryFatTotal, .dietaryWater,
        ]

    /// The maximum number of quantities with charts that are unknown: a file may have any number of them.
    private static let mostUnknown = 100

    /// Returns the charts of a section's quantities, and its other events.
    func blocks(of section: ReportSection) -> [ReportBlock] {
        let all = collection.series.filter { ReportTypes.section(of: $0.type) == section }
        let unknown = all.filter { !$0.type.isKnown }.sorted {
            ($1.series.sampleCount, $0.series.title) < ($0.series.sampleCount, $1.series.title)
        }
        let omitted = Set(unknown.dropFirst(Self.mostUnknown).map(\.type))
        let found = all.filter { !omitted.contains($0.type) }.sorted { left, right in
            let ranks = [left, right].map { Self.order.firstIndex(of: $0.type) ?? .max }
            return ranks[0] != ranks[1] ? ranks[0] < ranks[1] : left.series.title < right.series.title
        }
        var blocks: [ReportBlock] = []
        for (type, series) in found {
            let figures = SeriesFigures(series: series, period: period)
            // Both halves of blood pressures are in one chart.
            if let (systolic, diastolic) = bloodPressure(found) {
                if type == .bloodPressureSystolic {
                    blocks.append(.figure(systolic.bloodPressure(diastolic: diastolic)))
                }
                if AnySampleType.bloodPressure.members.contains(type) { continue }
            }
            blocks.append(.figure(figures.overTime()))
            if Self.detailed.contains(type), period.unit == .month {
                blocks.append(.figure(figures.byYear()))
            }
            if Self.detailed.contains(type), series.values.count >= 28 {
                blocks.append(.figure(figures.byWeekday()))
            }
            if type == .stepCount, series.values.count >= 28, let hours = collection.hours {
                blocks.append(.figure(hoursOfWeek(hours, series)))
            }
        }
        if !omitted.isEmpty {
            let count = ChartNumber.count(omitted.count, "more quantity", "more quantities")
            blocks.append(
                .text("\(count) that this program does not know, with fewer samples, have no chart."))
        }
        if section == .hearing { blocks += hearingTests }
        return blocks + events(of: section)
    }

    /// Returns the halves of blood pressures; nil unless both are there, in the same unit.
    private func bloodPressure(
        _ found: [(type: AnySampleType, series: DaySeries)]
    ) -> (systolic: SeriesFigures, diastolic: SeriesFigures)? {
        let halves = [AnySampleType.bloodPressureSystolic, .bloodPressureDiastolic].compactMap { type in
            found.first { $0.type == type }.map { SeriesFigures(series: $0.series, period: period) }
        }
        guard halves.count == 2, halves[0].series.unit == halves[1].series.unit else { return nil }
        return (halves[0], halves[1])
    }

    private func hoursOfWeek(_ hours: HoursOfWeek, _ series: DaySeries) -> ReportFigure {
        ReportFigure(
            chart: HoursOfWeekChart.chart(
                hours, title: series.title, unit: series.unit, format: series.format,
                basis: "\(ChartNumber.count(series.values.count, "day")) with data; \(series.rule)",
                period.days),
            table: HoursOfWeekChart.table(hours, format: series.format, period.days))
    }

    /// Returns the table of a section's categories.
    private func events(of section: ReportSection) -> [ReportBlock] {
        let found = collection.tallies.filter {
            $0.count > 0 && ReportTypes.section(of: $0.type) == section
        }.sorted { ($1.count, $0.type.title) < ($0.count, $1.type.title) }
        guard !found.isEmpty else { return [] }
        var table = ReportTable("Event", "#Entries", "#Days", "@First", "@Last", "Values")
        for tally in found {
            let days = [tally.days.min(), tally.days.max()].map { day in
                day.map { CivilDate(daysSince1970: $0).description } ?? ""
            }
            table.rows.append(
                [
                    tally.type.title, ChartNumber.count(tally.count), ChartNumber.count(tally.days.count),
                    days[0], days[1], tally.valueText,
                ])
        }
        return [.table(title: "", table)]
    }

    private var hearingTests: [ReportBlock] {
        guard let latest = collection.hearingTests.last, !latest.points.isEmpty else { return [] }
        var table = ReportTable("Frequency", "#Left ear", "#Right ear")
        var (left, right) = ([ChartPoint](), [ChartPoint]())
        for (index, point) in latest.points.enumerated() {
            if let value = point.left { left.append(ChartPoint(category: index, value)) }
            if let value = point.right { right.append(ChartPoint(category: index, value)) }
            table.rows.append(
                [
                    ChartNumber.text(point.frequency) + " Hz", point.left.map { ChartNumber.text($0) } ?? "",
                    point.right.map { ChartNumber.text($0) } ?? "",
                ])
        }
        let day = latest.start.map { period.days.day(of: $0.seconds).description } ?? "without a date"
        let chart = Chart(
            title: "Hearing test \(day): the softest sound that each ear heard",
            caption: """
                The latest of \(ChartNumber.count(collection.hearingTests.count)) tests. Lower values are better \
                hearing.
                """,
            axis: .categories(latest.points.map { ChartNumber.text($0.frequency / 1000) + " kHz" }),
            panels: [
                ChartPanel(
                    unit: "dB HL",
                    entries: [ChartEntry("left ear", .line, left), ChartEntry("right ear", .line, right)])
            ])
        return [.figure(ReportFigure(chart: chart, table: table))]
    }
}
