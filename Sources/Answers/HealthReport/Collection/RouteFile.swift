import AppleHealthExport
import ByteText
import Glibc

/// A route, read from the GPX file of a workout.
struct RouteFile: Sendable {
    /// A point: metres east and north of the first point, when it was reached, and the segment in which it lies.
    struct Point: Sendable {
        let east: Double
        let north: Double
        let seconds: Int?
        let segment: Int
    }

    private(set) var points: [Point] = []

    /// The points for a drawing.
    var places: [(east: Double, north: Double, segment: Int)] {
        points.map { ($0.east, $0.north, $0.segment) }
    }

    /// The maximum number of points that are read.
    private static let most = 200_000
    /// Metres in a degree of latitude.
    private static let degree = 111_195.0

    /// Reads the points, none of a malformed file; those without a place are left out.
    init(gpx bytes: [UInt8]) {
        var origin: RouteReader.Place?
        let route = RouteReader.route(in: bytes.span)
        for point in route?.points.prefix(Self.most) ?? [] {
            guard let place = point.place else { continue }
            let first = origin ?? place
            origin = first
            points.append(
                Point(
                    east: (place.longitude - first.longitude) * Self.degree * cos(first.latitude * .pi / 180),
                    north: (place.latitude - first.latitude) * Self.degree,
                    seconds: point.time?.seconds, segment: point.segment))
        }
    }

    /// Whether nothing was recorded between a point and the one before.
    private func isInterrupted(before index: Int) -> Bool {
        points[index].segment != points[index - 1].segment
    }

    /// The distance from the start to each point along the route, in metres, without the ways between segments.
    var distances: [Double] {
        var (distances, sum) = ([Double](), 0.0)
        for (index, point) in points.enumerated() {
            if index > 0, !isInterrupted(before: index) {
                sum += hypot(point.east - points[index - 1].east, point.north - points[index - 1].north)
            }
            distances.append(sum)
        }
        return distances
    }

    /// The most kilometres of which the time is computed: two points may be as far apart as somebody wrote.
    private static let mostSplits = 1000

    /// The seconds of each of the first thousand full kilometres, without the times between segments; empty if the
    /// points have no times.
    var splits: [Int] {
        var splits: [Int] = []
        guard var last = points.first?.seconds else { return [] }
        let distances = distances
        var interrupted = 0
        for (index, distance) in distances.enumerated() where index > 0 {
            if isInterrupted(before: index) {
                guard let before = points[index - 1].seconds, let after = points[index].seconds else {
                    return splits
                }
                interrupted += after - before
            }
            while splits.count < Self.mostSplits, distance >= Double(splits.count + 1) * 1000 {
                guard let before = points[index - 1].seconds, let after = points[index].seconds else {
                    return splits
                }
                let part =
                    (Double(splits.count + 1) * 1000 - distances[index - 1])
                    / (distance - distances[index - 1])
                let time = before - interrupted + Int((Double(after - before) * part).rounded())
                splits.append(max(0, time - last))
                last = time
            }
        }
        return splits
    }
}
