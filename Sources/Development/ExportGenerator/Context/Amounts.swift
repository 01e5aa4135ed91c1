/// The number of elements and files of each kind, except plain records.
///
/// Large exports follow the proportions of real ones, with a workout for every megabyte and a blood pressure for
/// every six. Small ones have a few of each, and leave most of the room to the records.
struct Amounts: Sendable {
    let workouts: Int
    let bloodPressures: Int
    let activitySummaries: Int
    let audiograms: Int
    let visionPrescriptions: Int

    /// Clinical records in the document; there may be more files.
    let clinicalRecords: Int

    let routeFiles: Int
    let clinicalFiles: Int
    let electrocardiograms: Int

    init(_ options: GeneratorOptions) {
        let bytes = options.xmlBytes
        let isHeavy = options.sideFiles == .heavy
        routeFiles = isHeavy ? 500 : 6
        clinicalFiles = isHeavy ? 142 : 5
        electrocardiograms = isHeavy ? 50 : 3

        /// Returns the wanted number, or as many as fit into a twentieth of the document, but at least one.
        func affordable(_ wanted: Int, ofBytes size: Int) -> Int {
            max(1, min(wanted, bytes / 20 / size))
        }
        workouts = max(bytes / 1_060_000, affordable(routeFiles, ofBytes: 3000))
        bloodPressures = max(bytes / 5_900_000, affordable(10, ofBytes: 2000))
        activitySummaries = affordable(options.years * 365, ofBytes: 600)
        clinicalRecords = affordable(clinicalFiles, ofBytes: 500)
        audiograms = affordable(3, ofBytes: 2000)
        visionPrescriptions = affordable(2, ofBytes: 1000)
    }

    /// Returns the route of a workout, or nil if it has none; routes are spread evenly over the workouts.
    func route(ofWorkout index: Int) -> Int? {
        let count = min(routeFiles, workouts)
        let route = index * count / workouts
        return index == firstWorkout(ofRoute: route) ? route : nil
    }

    /// Returns the workout of a route, or nil if there are more routes than workouts.
    func workout(ofRoute route: Int) -> Int? {
        route < min(routeFiles, workouts) ? firstWorkout(ofRoute: route) : nil
    }

    private func firstWorkout(ofRoute route: Int) -> Int {
        let count = min(routeFiles, workouts)
        return (route * workouts + count - 1) / count
    }
}
