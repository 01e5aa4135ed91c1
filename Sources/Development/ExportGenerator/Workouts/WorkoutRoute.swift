/// The route of a workout: with inline locations in version 8, later with a reference to a file.
struct WorkoutRoute {
    /// The approximate number of locations in version 8: as many as in a file would fill the document.
    private static let mostLocations = 24

    private let route: Int
    private let workout: Workout
    private let context: ExportContext

    init(_ route: Int, _ workout: Workout, _ context: ExportContext) {
        self.route = route
        self.workout = workout
        self.context = context
    }

    func append(to parent: inout XMLStream) {
        guard context.version >= .v8 else { return }
        parent.element("WorkoutRoute") { element in
            workout.edition.append(address: workout.address, to: &element.text)
            element.attribute("creationDate", workout.created, context.clock)
            element.attribute("startDate", workout.start, context.clock)
            element.attribute("endDate", workout.end, context.clock)
            element.metadata("HKMetadataKeySyncVersion", "2")
            let track = RouteTrack(route, context)
            guard context.version < .v11 else {
                element.element("FileReference") { $0.attribute("path", "/\(track.fileName)") }
                return
            }
            appendLocations(of: track, to: &element)
        }
    }

    private func appendLocations(of track: RouteTrack, to element: inout XMLStream) {
        var track = track
        track.seconds = max(workout.length / Self.mostLocations, 1)
        while let point = track.next() {
            element.element("Location") { location in
                location.attribute("date", point.instant, context.clock)
                location.attribute("latitude", point.latitude)
                location.attribute("longitude", point.longitude)
                location.attribute("altitude", point.elevation)
                location.attribute("horizontalAccuracy", point.horizontalAccuracy)
                location.attribute("verticalAccuracy", point.verticalAccuracy)
                location.attribute("course", point.course)
                location.attribute("speed", point.speed)
            }
        }
    }
}
