import AppleHealthExport
import ByteText
import HealthArchive
import HealthModel
import SampleBatches
import SystemIO
import Tables

/// The tables of rings and routes, which samples have only as attributes and files.
extension OpenedArchive {
    /// The activity rings of the days in the time of a query.
    func ringTable(_ query: TableQuery) throws -> any TableSource {
        typealias Row = (day: CivilDate, rings: ActivitySummary)
        let store = try store()
        let columns: [TableColumn<Row>] = [
            TableColumn("day") { $0.day }, TableColumn("energy") { $0.rings.activeEnergyBurned?.value },
            TableColumn("energyGoal") { $0.rings.activeEnergyBurnedGoal?.value },
            TableColumn("energyUnit") { $0.rings.activeEnergyBurned?.unit.description },
            TableColumn("moveMinutes") { $0.rings.moveTime?.value },
            TableColumn("moveMinutesGoal") { $0.rings.moveTimeGoal?.value },
            TableColumn("exerciseMinutes") { $0.rings.exerciseTime?.value },
            TableColumn("exerciseMinutesGoal") { $0.rings.exerciseTimeGoal?.value },
            TableColumn("standHours") { $0.rings.standHours?.value },
            TableColumn("standHoursGoal") { $0.rings.standHoursGoal?.value },
        ]
        return ComputedTable(columns) {
            let found = try CallerExecutor.run {
                try await store.samples(.activitySummary, in: query.range).all()
            }
            return [found.compactMap { rings in rings.day.map { (day: $0, rings: rings) } }]
        }
    }

    /// The points of the routes of the workouts that start in the time of a query, an array for each workout.
    func routeTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        func number(_ name: String, _ value: RouteReader.Value) -> TableColumn<RoutePoint> {
            TableColumn(name) { $0.values[value] }
        }
        let columns: [TableColumn<RoutePoint>] = [
            query.hasPlainTexts
                ? TableColumn("workout") { $0.workout }
                : TableColumn("workout") { RepeatedText(cellText: $0.workout) },
            TableColumn("segment") { $0.segment }, TableColumn("time") { $0.time },
            number("latitude", .latitude), number("longitude", .longitude),
            number("altitude", .elevation), number("speed", .speed), number("course", .course),
            number("horizontalAccuracy", .horizontalAccuracy), number("verticalAccuracy", .verticalAccuracy),
        ]
        return ComputedTable(
            columns,
            of: try CallerExecutor.run { try await store.samples(.workout, in: query.range).all() }
        ) { workout in
            [try CallerExecutor.run { try await Self.points(of: workout, in: store) }]
        }
    }

    /// Reads the routes of a workout; a file that the export lacks has no points.
    private static func points(of workout: Workout, in store: ArchiveStore) async throws -> [RoutePoint] {
        let identifier = workout.id.description
        var points: [RoutePoint] = []
        for route in workout.routes {
            // What one route ends with is not joined to what the next one begins with.
            let segment = points.last.map { $0.segment + 1 } ?? 0
            points += route.locations.map { RoutePoint(identifier, $0, in: segment) }
            guard let path = route.filePath else { continue }
            do {
                let bytes = try await store.bytes(ofFileAt: path)
                points += Self.points(of: identifier, gpx: bytes, after: segment)
            } catch let error as HealthStoreError where error.code == .noSuchFile { continue }
        }
        return points
    }

    private static func points(of workout: String, gpx bytes: [UInt8], after segment: Int) -> [RoutePoint] {
        RouteReader.route(in: bytes.span)?.points.compactMap { RoutePoint(workout, $0, after: segment) } ?? []
    }
}

/// A point of a route.
private struct RoutePoint {
    /// The identifier of the workout.
    let workout: String
    let time: Timestamp?
    /// The segment in which it lies, counted from 0 in each workout; between two segments nothing was recorded.
    let segment: Int
    let values: [RouteReader.Value: Double]

    init(_ workout: String, _ location: WorkoutRoute.Location, in segment: Int) {
        self.workout = workout
        self.segment = segment
        time = location.date
        var values: [RouteReader.Value: Double] = [
            .latitude: location.latitude, .longitude: location.longitude,
        ]
        values[.elevation] = location.altitude
        self.values = values
    }

    /// Creates a point of a file; nil if it has no place on earth.
    init?(_ workout: String, _ point: RouteReader.Point, after segment: Int) {
        guard let place = point.place else { return nil }
        self.workout = workout
        time = point.time
        self.segment = segment + point.segment
        var values: [RouteReader.Value: Double] = [.latitude: place.latitude, .longitude: place.longitude]
        for (name, text) in point.values where values[name] == nil && name != .time {
            values[name] = DecimalText.number(ofToken: text.span, text.indices)
        }
        self.values = values
    }
}
