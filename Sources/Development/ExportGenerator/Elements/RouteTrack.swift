import ByteText

/// The points of a route: a random walk around the point where the equator meets the prime meridian.
struct RouteTrack {
    /// One point of a route; a course is in degrees from north, or -1 if the watch does not know it.
    typealias Point = (
        instant: Int, latitude: FixedPoint, longitude: FixedPoint, elevation: FixedPoint, speed: FixedPoint,
        course: FixedPoint, horizontalAccuracy: FixedPoint, verticalAccuracy: FixedPoint
    )

    private static let degreesPerMetre = 1 / 111_320.0

    /// Seconds from one point to the next.
    var seconds = 5

    /// The local date and time at the end, used in the file name.
    let time: Timestamp

    private let end: Int
    private let metresPerSecond: Double
    private var instant: Int
    private var chance: SplitMix64
    private var latitude = 0.0
    private var longitude = 0.0
    private var elevation = 35.0
    private var course: Double

    /// Creates the route of a workout, or one whose workout has been deleted.
    init(_ route: Int, _ context: ExportContext) {
        chance = context.chance(.route, route)
        if let index = context.workout(ofRoute: route) {
            let workout = Workout(index, context)
            (instant, end) = (workout.time.lowerBound, workout.time.upperBound)
            metresPerSecond = Double(workout.pace) / 1000
        } else {
            instant = context.slot(route, of: context.routeFiles).lowerBound
            end = instant + chance.pick(from: 720...5700)
            metresPerSecond = 1.4
        }
        time = context.home.time(at: end)
        course = Double(chance.below(360))
    }

    mutating func next() -> Point? {
        guard instant < end else { return nil }
        let speed = metresPerSecond * Double(chance.pick(from: 800...1200)) / 1000
        let step = speed * Double(seconds) * Self.degreesPerMetre
        course += Double(chance.pick(from: -9000...9000)) / 1000
        if course < 0 { course += 360 }
        if course >= 360 { course -= 360 }
        latitude += step * Self.sine(course + 90)
        longitude += step * Self.sine(course)
        elevation += Double(chance.pick(from: -400...400)) / 1000
        let point: Point = (
            instant: instant,
            latitude: Self.millionths(latitude), longitude: Self.millionths(longitude),
            elevation: Self.millionths(elevation), speed: Self.millionths(speed),
            course: chance.oneIn(60) ? FixedPoint(units: -1, digits: 0) : Self.millionths(course),
            horizontalAccuracy: chance.decimal(900...9_000, digits: 6),
            verticalAccuracy: chance.decimal(900...6_000, digits: 6)
        )
        instant += seconds
        return point
    }

    private static func millionths(_ value: Double) -> FixedPoint {
        FixedPoint(units: Int((value * 1_000_000).rounded()), digits: 6)
    }

    /// Returns the sine of an angle in degrees by Bhaskara's formula, accurate to 0.002 and, unlike the library's,
    /// the same on every machine.
    private static func sine(_ degrees: Double) -> Double {
        let angle = degrees >= 360 ? degrees - 360 : degrees
        let half = angle >= 180 ? angle - 180 : angle
        let product = half * (180 - half)
        let sine = 4 * product / (40_500 - product)
        return angle >= 180 ? -sine : sine
    }

    /// The end of the workout on a twelve-hour clock, as in `Route 2024-12-26 2:53pm`.
    func label(between gap: String, minutesAfter separator: String) -> String {
        let minute = String(100 + time.minute).dropFirst()
        return "\(time.day)\(gap)\(time.hourOfTwelve)\(separator)\(minute)\(time.hour < 12 ? "am" : "pm")"
    }

    /// The name of its file, such as `workout-routes/route_2024-12-26_2.53pm.gpx`.
    var fileName: String { "workout-routes/route_\(label(between: "_", minutesAfter: ".")).gpx" }
}

extension XMLStream {
    /// Writes the route of a workout: with inline locations in version 8, later with a reference to a file.
    ///
    /// There are about 24 locations: as many as in a file would fill the document.
    mutating func route(of workout: Workout) {
        guard context.version >= .v8, let route = workout.route else { return }
        let attributes: Attributes = [
            "origin": workout.provenance, "creationDate": context.time(at: workout.created),
            "startDate": context.time(at: workout.time.lowerBound),
            "endDate": context.time(at: workout.time.upperBound),
        ]
        element("WorkoutRoute", attributes) { element in
            element.metadata("HKMetadataKeySyncVersion", "2")
            var track = RouteTrack(route, element.context)
            guard element.context.version < .v11 else {
                return element.element("FileReference", ["path": "/\(track.fileName)"])
            }
            track.seconds = max(workout.time.count / 24, 1)
            while let point = track.next() {
                let attributes: Attributes = [
                    "date": element.context.time(at: point.instant), "latitude": point.latitude,
                    "longitude": point.longitude, "altitude": point.elevation,
                    "horizontalAccuracy": point.horizontalAccuracy,
                    "verticalAccuracy": point.verticalAccuracy,
                    "course": point.course, "speed": point.speed,
                ]
                element.element("Location", attributes)
            }
        }
    }
}
