public import ByteText
import SampleBatches

/// The route of a workout.
public struct WorkoutRoute: Sendable, Equatable {
    /// The path of the GPX file in the export: `workout-routes/route_2024-12-26_2.53pm.gpx`; nil if there is none.
    public let filePath: String?
    /// The points, in exports from iOS 12, which have no route files.
    public let locations: [Location]
    /// When it starts.
    public let startDate: Timestamp?
    /// When it ends.
    public let endDate: Timestamp?
    /// Its metadata.
    public let metadata: Metadata

    /// A point of a route.
    public struct Location: Sendable, Equatable {
        /// When the person was there.
        public let date: Timestamp?
        /// Degrees north of the equator.
        public let latitude: Double
        /// Degrees east of Greenwich.
        public let longitude: Double
        /// Metres above sea level.
        public let altitude: Double?
    }

    init(_ element: ElementNode) {
        // The path starts with a slash, though it is relative to the export.
        filePath = element.elements("FileReference").first?["path"].map { path in
            String(path.drop { $0 == "/" })
        }
        locations = element.elements("Location").compactMap { point in
            guard let latitude = point.number("latitude"), let longitude = point.number("longitude") else {
                return nil
            }
            return Location(
                date: point.time("date"), latitude: latitude, longitude: longitude,
                altitude: point.number("altitude"))
        }
        startDate = element.time("startDate")
        endDate = element.time("endDate")
        metadata = Metadata(content: element.children)
    }
}
