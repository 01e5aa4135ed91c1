import CivilTime
import HealthModel
import HealthStores
import SystemIO

/// Workouts.
enum WorkoutTable: Sendable {
    /// The workouts that start in the time of a query.
    static func table(_ archive: OpenedArchive, _ query: TableQuery) throws -> any TableSource {
        let columns: [ArrowField] = [
            .text("id"), .time("start"), .time("end"), .text("activity"), .double("durationSeconds"),
            .double("distance"), .text("distanceUnit"), .double("energy"), .text("energyUnit"),
            .text("source"), .text("version"), .text("device"),
        ]
        let store = try archive.store()
        return WholeTable(.table(columns)) {
            let workouts = try CallerExecutor.run { try await store.samples(.workout, in: query.range).all() }
            let (distances, energies) = (workouts.map(\.totalDistance), workouts.map(\.totalEnergyBurned))
            return [
                ArrowColumn(
                    rows: workouts.count,
                    [
                        ArrowColumn(texts: workouts.map(\.id.description)),
                        ArrowColumn(times: workouts.map(\.startDate)),
                        ArrowColumn(times: workouts.map(\.endDate)),
                        ArrowColumn(texts: workouts.map(\.activityName)),
                        ArrowColumn(optional: workouts.map(\.durationSeconds)),
                        ArrowColumn(optional: distances.map { $0?.value }),
                        ArrowColumn(texts: distances.map { $0?.unit.description }),
                        ArrowColumn(optional: energies.map { $0?.value }),
                        ArrowColumn(texts: energies.map { $0?.unit.description }),
                        ArrowColumn(texts: workouts.map(\.sourceName)),
                        ArrowColumn(texts: workouts.map(\.sourceVersion)),
                        ArrowColumn(texts: workouts.map { $0.device?.name }),
                    ])
            ]
        }
    }
}
