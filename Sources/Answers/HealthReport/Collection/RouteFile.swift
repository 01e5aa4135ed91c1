import CivilTime
import Glibc

/// A route, read from the GPX file of a workout.
struct RouteFile: Sendable {
    /// A point: metres east and north of the first point, and when it was reached.
    struct Point: Sendable {
        let east: Double
        let north: Double
        let seconds: Int?
    }

    private(set) var points: [Point] = []

    /// The maximum number of points that are read.
    private static let most = 200_000
    /// Metres in a degree of latitude.
    private static let degree = 111_195.0

    /// Reads the points; those that cannot be read are left out.
    init(gpx bytes: [UInt8]) {
        var origin: (latitude: Double, longitude: Double)?
        var offset = 0
        while points.count < Self.most,
            let start = Self.find("<trkpt", in: bytes, from: offset, before: bytes.count),
            let tag = Self.find(">", in: bytes, from: start, before: bytes.count)
        {
            let next = Self.find("<trkpt", in: bytes, from: tag, before: bytes.count) ?? bytes.count
            offset = tag
            guard let latitude = Self.attribute(" lat=\"", in: bytes, start..<tag),
                let longitude = Self.attribute(" lon=\"", in: bytes, start..<tag),
                abs(latitude) <= 90, abs(longitude) <= 180
            else { continue }
            let first = origin ?? (latitude, longitude)
            origin = first
            let time = Self.find("<time>", in: bytes, from: tag, before: next)
            points.append(
                Point(
                    east: (longitude - first.longitude) * Self.degree * cos(first.latitude * .pi / 180),
                    north: (latitude - first.latitude) * Self.degree,
                    seconds: time.flatMap { Self.instant(bytes, at: $0 + 6) }))
        }
    }

    private static func find(_ text: StaticString, in bytes: [UInt8], from start: Int, before end: Int)
        -> Int?
    {
        let wanted = Array("\(text)".utf8)
        var index = start
        while index + wanted.count <= end {
            if bytes[index] == wanted[0], bytes[index..<(index + wanted.count)].elementsEqual(wanted) {
                return index
            }
            index += 1
        }
        return nil
    }

    private static func attribute(_ name: StaticString, in bytes: [UInt8], _ range: Range<Int>) -> Double? {
        guard let start = find(name, in: bytes, from: range.lowerBound, before: range.upperBound) else {
            return nil
        }
        let text = bytes[(start + name.utf8CodeUnitCount)..<range.upperBound].prefix {
            $0 != UInt8(ascii: "\"")
        }
        return Double(String(decoding: text, as: UTF8.self))
    }

    /// Reads `2024-05-01T08:15:00Z`.
    private static func instant(_ bytes: [UInt8], at start: Int) -> Int? {
        guard start + 20 <= bytes.count, bytes[start + 19] == UInt8(ascii: "Z") else { return nil }
        let text = Array(bytes[start..<(start + 19)]) + Array("+00:00".utf8)
        return Timestamp(iso: text.span)?.seconds
    }

    /// The distance from the start to each point along the route, in metres.
    var distances: [Double] {
        var (distances, sum) = ([Double](), 0.0)
        for (index, point) in points.enumerated() {
            if index > 0 {
                sum += hypot(point.east - points[index - 1].east, point.north - points[index - 1].north)
            }
            distances.append(sum)
        }
        return distances
    }

    /// The seconds of each full kilometre; empty if the points have no times.
    var splits: [Int] {
        var splits: [Int] = []
        guard var last = points.first?.seconds else { return [] }
        let distances = distances
        for (index, distance) in distances.enumerated() where index > 0 {
            while distance >= Double(splits.count + 1) * 1000 {
                guard let before = points[index - 1].seconds, let after = points[index].seconds else {
                    return splits
                }
                let part =
                    (Double(splits.count + 1) * 1000 - distances[index - 1])
                    / (distance - distances[index - 1])
                let time = before + Int((Double(after - before) * part).rounded())
                splits.append(max(0, time - last))
                last = time
            }
        }
        return splits
    }
}
