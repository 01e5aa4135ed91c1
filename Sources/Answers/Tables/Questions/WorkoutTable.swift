package import HealthModel

/// The table of workouts.
package enum WorkoutTable: Sendable {
    /// Returns the columns.
    package static func columns() -> [TableColumn<Workout>] {
        [
            TableColumn("id") { $0.id.description }, TableColumn("startDate") { $0.startDate },
            TableColumn("endDate") { $0.endDate }, TableColumn("activity") { $0.activityName },
            TableColumn("durationSeconds") { $0.durationSeconds },
            TableColumn("distance") { $0.totalDistance?.value },
            TableColumn("distanceUnit") { $0.totalDistance?.unit.description },
            TableColumn("energy") { $0.totalEnergyBurned?.value },
            TableColumn("energyUnit") { $0.totalEnergyBurned?.unit.description },
            TableColumn("sourceName") { $0.sourceName }, TableColumn("sourceVersion") { $0.sourceVersion },
            TableColumn("device") { $0.device?.name },
        ]
    }
}
