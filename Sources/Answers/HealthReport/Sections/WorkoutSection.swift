import ByteText
import HealthModel

/// The section about workouts, with the routes of the latest.
struct WorkoutSection {
    let workouts: [WorkoutSummary]
    let zones: HeartRateZones?
    let period: ReportPeriod
    let system: MeasurementSystem?

    private static let shownRows = 100
    private static let shownRoutes = 12
    private static let shownSports = 5

    private var miles: Bool { system == .us || system == .uk }

    /// Returns the blocks of the section, reading the files of the routes that are drawn.
    func blocks(_ store: any HealthStore) async throws -> [ReportBlock] {
        guard !workouts.isEmpty else { return [] }
        let sports = Dictionary(grouping: workouts, by: \.name)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        var blocks: [ReportBlock] = [.figure(hours(sports.prefix(Self.shownSports).map(\.key)))]
        var table = ReportTable("Sport", "#Workouts", "#Hours", "#Distance", "#Energy")
        for (sport, own) in sports {
            table.rows.append(
                [
                    sport, ChartNumber.count(own.count),
                    ChartNumber.text(own.reduce(0) { $0 + $1.seconds } / 3600, .duration),
                    distance(own.compactMap(\.distance).sum), energy(own.compactMap(\.energy).sum),
                ])
        }
        blocks.append(.table(title: "", table))
        if let zones = zoneFigure {
            blocks.append(.figure(zones))
        } else if zones == nil {
            blocks.append(
                .text(
                    """
                    Heart-rate zones need the maximum heart rate. The source states no day of birth to estimate it from.
                    """))
        }
        let routes = try await routes(store)
        if !routes.isEmpty {
            blocks += [.heading("The latest routes, to scale"), .routes(routes)]
        }
        blocks.append(latest)
        return blocks
    }

    private func distance(_ metres: Double?) -> String {
        guard let metres else { return "" }
        return miles
            ? ChartNumber.fixed(metres / 1609.344, digits: 2) + " mi"
            : ChartNumber.fixed(metres / 1000, digits: 2) + " km"
    }

    private func energy(_ kilocalories: Double?) -> String {
        kilocalories.map { ChartNumber.fixed($0, digits: 0) + " kcal" } ?? ""
    }

    /// Returns the chart of hours by sport over time.
    private func hours(_ sports: [String]) -> ReportFigure {
        let names = sports + ["other"]
        var sums: [Int: [Double]] = [:]
        var ends: [Int: Int] = [:]
        for workout in workouts {
            guard let start = workout.start else { continue }
            let interval = period.interval(period.unit, ofDay: period.days.dayNumber(of: start.seconds))
            let sport = sports.firstIndex(of: workout.name) ?? sports.count
            sums[interval.lowerBound, default: names.map { _ in 0 }][sport] += workout.seconds / 3600
            ends[interval.lowerBound] = interval.upperBound
        }
        var table = ReportTable("Period", "#Hours", "Main sport")
        var points = names.map { _ in [ChartPoint]() }
        for (start, hours) in sums.sorted(by: { $0.key < $1.key }) {
            let end = Double(ends[start] ?? start)
            for (sport, value) in hours.enumerated() where value > 0 {
                points[sport].append(ChartPoint(Double(start), end, value))
            }
            let most = hours.indices.max { hours[$0] < hours[$1] } ?? 0
            table.rows.append(
                [
                    period.axis.label(ChartPoint(Double(start), end, 0)),
                    ChartNumber.text(hours.reduce(0, +), .duration), names[most],
                ])
        }
        let total = workouts.reduce(0) { $0 + $1.seconds } / 3600
        let chart = Chart(
            title: """
                \(ChartNumber.count(workouts.count, "workout")), \(ChartNumber.text(total, .duration)) hours
                """,
            caption: """
                Hours by \(period.unit.rawValue) and sport, without pauses. A workout that two apps recorded counts \
                twice. Days in \(period.days.zone).
                """,
            axis: period.axis,
            panels: [
                ChartPanel(
                    unit: "hours", format: .duration,
                    entries: zip(names, points).map { ChartEntry($0, .bar, $1) }, isStacked: true)
            ])
        return ReportFigure(chart: chart, table: table)
    }

    private func time(_ workout: WorkoutSummary) -> String {
        workout.start.map { period.days.timestamp($0.seconds).iso.prefix(16).split(separator: "T") }?
            .joined(separator: " ") ?? ""
    }

    private var latest: ReportBlock {
        var table = ReportTable(
            "@Start", "Sport", "#Duration", "#Distance", "#Energy", "#Average heart rate", "Source")
        for workout in workouts.suffix(Self.shownRows).reversed() {
            table.rows.append(
                [
                    time(workout), workout.name, ChartNumber.text(workout.seconds / 3600, .duration),
                    distance(workout.distance), energy(workout.energy),
                    workout.heartRate.map { ChartNumber.fixed($0, digits: 0) + " bpm" } ?? "", workout.source,
                ])
        }
        return .table(
            title: table.rows.count == 1 ? "The latest workout" : "The latest \(table.rows.count) workouts",
            table)
    }

    private func routes(_ store: any HealthStore) async throws -> [RouteFigure] {
        var files: [String: StoreFile] = [:]
        for file in try await store.files(in: "workout-routes") { files[file.path] = file }
        var figures: [RouteFigure] = []
        for workout in workouts.reversed() {
            guard figures.count < Self.shownRoutes else { break }
            guard let file = workout.route.flatMap({ files[$0] }), file.length <= StoreFile.largest else {
                continue
            }
            let route = RouteFile(gpx: try await store.bytes(of: file))
            guard let drawing = RouteDrawing(route.places) else { continue }
            var splits = ReportTable("Kilometre", "#Time")
            for (index, seconds) in route.splits.enumerated() {
                splits.rows.append(["\(index + 1)", ChartNumber.text(Double(seconds) / 60, .duration)])
            }
            let length = distance(route.distances.last)
            let pace = splits.rows.isEmpty ? "" : "; splits in minutes and seconds"
            figures.append(
                RouteFigure(
                    title: "\(workout.name), \(time(workout))",
                    caption: """
                        \(length) along \(ChartNumber.count(route.points.count)) points, \
                        \(ChartNumber.text(workout.seconds / 3600, .duration)) hours\(pace).
                        """,
                    drawing: drawing, splits: splits))
        }
        return figures
    }
}

extension [Double] {
    /// The sum; nil if there are no values.
    fileprivate var sum: Double? { isEmpty ? nil : reduce(0, +) }
}
