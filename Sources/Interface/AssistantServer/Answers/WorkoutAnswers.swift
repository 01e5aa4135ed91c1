import AppleHealthExport
import HealthModel
import HealthVault
import Tables

/// Workouts and their routes, as answers.
extension ExposedArchive {
    /// Answers `workouts`.
    func workouts(_ arguments: ToolArguments) async throws -> ToolAnswer {
        _ = try type(named: AnySampleType.workout.identifier)
        let range = try range(arguments)
        let wanted = try arguments.text("activity").map { text throws(ToolProblem) in
            guard
                let type = WorkoutActivityType.allCases.first(where: {
                    $0.title.lowercased() == text.lowercased()
                })
            else {
                throw ToolProblem("no such activity; workouts without an activity shows those that are there")
            }
            return type
        }
        if let identifier = arguments.text("route_of") { return try await route(of: identifier, in: range) }
        var found: [Workout] = []
        for try await span in store.samples(.workout, in: range.query, days: days) {
            found += span.filter { wanted == nil || $0.activityType == wanted }
        }
        let table = Table(
            "rows", allowed.singleSamples ? found.suffix(Self.mostWorkouts) : [],
            [
                TableColumn("id") { $0.id.description }, TableColumn("start") { local($0.startDate) },
                TableColumn("activity") { $0.activityTitle },
                TableColumn("minutes") { $0.minutes?.rounded(toPlaces: 1) },
                TableColumn("km") { $0.kilometers?.rounded(toPlaces: 3) },
                TableColumn("kcal") { $0.kilocalories?.rounded(toPlaces: 0) },
                TableColumn("source") { ForeignText.shown($0.sourceName ?? "") },
            ], facts: [("order", "oldest first"), ("overall", ActivityTotal.list(found).map(\.object))])
        return answer(table, in: range, total: found.count, keepsLatest: true)
    }

    private static let mostWorkouts = 50
    private static let mostPoints = 200

    /// A place of a route, and the segment in which it lies.
    private typealias RoutePoint = (place: RouteReader.Place, segment: Int)

    private static func points(gpx bytes: [UInt8]) -> [RoutePoint] {
        RouteReader.route(in: bytes.span)?.points.compactMap { point in
            point.place.map { ($0, point.segment) }
        } ?? []
    }

    private func bytes(ofRouteAt path: String) async throws -> [UInt8] {
        do { return try await store.bytes(ofFileAt: path) } catch let error as HealthStoreError {
            throw ToolProblem("the route of this workout cannot be read: \(error.description)")
        }
    }

    private func route(of identifier: String, in range: ExposedRange) async throws -> ToolAnswer {
        for try await span in store.samples(.workout, in: range.query, days: days) {
            guard let workout = span.first(where: { $0.id.description == identifier }) else { continue }
            var points: [RoutePoint] = []
            for route in workout.routes {
                let own: [RoutePoint] =
                    if let path = route.filePath {
                        Self.points(gpx: try await bytes(ofRouteAt: path))
                    } else {
                        route.locations.map {
                            (RouteReader.Place(latitude: $0.latitude, longitude: $0.longitude), 0)
                        }
                    }
                // Nothing was recorded between two routes either.
                let first = points.last.map { $0.segment + 1 } ?? 0
                points += own.map { ($0.place, first + $0.segment) }
            }
            guard !points.isEmpty else { throw ToolProblem("this workout has no route") }
            let step = max(1, (points.count + Self.mostPoints - 1) / Self.mostPoints)
            var columns: [TableColumn<RoutePoint>] = [
                TableColumn("latitude") { $0.place.latitude.rounded(toPlaces: 5) },
                TableColumn("longitude") { $0.place.longitude.rounded(toPlaces: 5) },
            ]
            if points.last?.segment != points.first?.segment {
                columns.append(TableColumn("segment") { $0.segment })
            }
            let table = Table(
                "rows", stride(from: 0, to: points.count, by: step).map { points[$0] }, columns,
                facts: [("points", points.count)])
            return answer(table, total: points.count)
        }
        throw ToolProblem("no exposed workout has this id; workouts lists them")
    }
}

extension Workout {
    /// The activity in words or, if it is unknown, as written.
    var activityTitle: String { activityType?.title ?? ForeignText.shown(activityName ?? "unknown") }
    /// How long it took; nil if that is not known.
    var minutes: Double? { durationSeconds.map { $0 / 60 } }
    /// The distance covered; nil if that is not known.
    var kilometers: Double? { totalDistance?.value(in: .meter(.kilo)) }
    /// The energy burned by moving; nil if that is not known.
    var kilocalories: Double? { totalEnergyBurned?.value(in: .kilocalorie) }
}

/// The workouts of an activity; totals are of those that have a value, nil if none has.
private struct ActivityTotal: Sendable {
    let activity: String
    var count = 0
    var minutes: Double?
    var kilometers: Double?
    var kilocalories: Double?

    /// Returns the totals, the most frequent activities first.
    static func list(_ workouts: [Workout]) -> ArraySlice<ActivityTotal> {
        var totals: [String: ActivityTotal] = [:]
        for workout in workouts {
            let name = workout.activityTitle
            var total = totals[name] ?? ActivityTotal(activity: name)
            total.count += 1
            total.minutes = sum(total.minutes, workout.minutes)
            total.kilometers = sum(total.kilometers, workout.kilometers)
            total.kilocalories = sum(total.kilocalories, workout.kilocalories)
            totals[name] = total
        }
        return totals.values.sorted { ($0.count, $1.activity) > ($1.count, $0.activity) }.prefix(20)
    }

    /// Returns the sum of two values, of which either may be missing.
    private static func sum(_ one: Double?, _ other: Double?) -> Double? {
        guard let one, let other else { return one ?? other }
        return one + other
    }

    var object: TableObject {
        TableObject([
            ("activity", activity), ("n", count), ("minutes", minutes?.rounded(toPlaces: 1)),
            ("km", kilometers?.rounded(toPlaces: 3)), ("kcal", kilocalories?.rounded(toPlaces: 0)),
        ])
    }
}
