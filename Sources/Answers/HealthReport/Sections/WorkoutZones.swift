import ByteText

/// The heart-rate zones of workouts.
extension WorkoutSection {
    /// The chart of the time in each zone; nil if no workout has measured heart rates.
    var zoneFigure: ReportFigure? {
        let measured = workouts.filter { $0.zones != nil && $0.start != nil }
        guard let zones, !measured.isEmpty else { return nil }
        let names = HeartRateZones.names
        var sums: [Range<Int>: [Int]] = [:]
        for workout in measured {
            guard let start = workout.start, let seconds = workout.zones else { continue }
            let interval = period.interval(period.unit, ofDay: period.days.dayNumber(of: start.seconds))
            let before = sums[interval] ?? names.map { _ in 0 }
            sums[interval] = zip(before, seconds).map { $0 + $1 }
        }
        var table = ReportTable(["Period"] + names.map { "#" + $0 })
        var points = names.map { _ in [ChartPoint]() }
        var total = names.map { _ in 0 }
        for (interval, seconds) in sums.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
            let (start, end) = (Double(interval.lowerBound), Double(interval.upperBound))
            for (zone, value) in seconds.enumerated() where value > 0 {
                points[zone].append(ChartPoint(start, end, Double(value) / 3600))
                total[zone] += value
            }
            table.rows.append(
                [period.axis.label(ChartPoint(start, end, 0))]
                    + seconds.map { ChartNumber.text(Double($0) / 3600, .duration) })
        }
        let most = total.indices.max { (total[$0], $1) < (total[$1], $0) } ?? 0
        let hours = Double(total.reduce(0, +)) / 3600
        let chart = Chart(
            title: """
                Heart-rate zones: \(ChartNumber.text(hours, .duration)) hours measured, most in \(names[most])
                """,
            caption: """
                Hours by \(period.unit.rawValue). \(zones.rule) A heart rate applies until the next, for ten minutes at \
                most; of several sources, the one that covers most of a workout counts. Heart rates of \
                \(ChartNumber.count(measured.count)) of \(ChartNumber.count(workouts.count, "workout")).
                """,
            axis: period.axis,
            panels: [
                ChartPanel(
                    unit: "hours", format: .duration,
                    entries: names.indices.map { zone in
                        ChartEntry(names[zone], .bar, points[zone], shade: .effort(zone))
                    }, isStacked: true)
            ])
        return ReportFigure(chart: chart, table: table)
    }
}
