/// A route drawn to scale, north up, without a map and without coordinates.
struct RouteDrawing: Sendable {
    /// The points of each segment.
    private let lines: [[(x: Double, y: Double)]]
    /// The length of the bar, in metres.
    private let bar: Double
    /// The bar in units of the drawing.
    private let barWidth: Double

    private static let width = 240.0
    private static let height = 180.0
    private static let margin = 12.0

    /// Creates a drawing; nil if the route has no two different points.
    ///
    /// - Parameter places: Metres east and north of the start, and the number of the segment.
    init?(_ places: [(east: Double, north: Double, segment: Int)]) {
        guard let west = places.lazy.map(\.east).min(), let east = places.lazy.map(\.east).max(),
            let south = places.lazy.map(\.north).min(), let north = places.lazy.map(\.north).max(),
            east > west || north > south
        else { return nil }
        let size = (width: Self.width - 2 * Self.margin, height: Self.height - 2 * Self.margin - 16)
        let scale = min(size.width / max(1, east - west), size.height / max(1, north - south))
        let left = (Self.width - (east - west) * scale) / 2
        let top = Self.margin + (size.height - (north - south) * scale) / 2
        // More points than the drawing can show only make the page larger.
        let step = max(1, places.count / 400)
        var lines: [[(x: Double, y: Double)]] = []
        var segment: Int?
        for index in places.indices where index % step == 0 || index == places.count - 1 {
            let place = places[index]
            if place.segment != segment { lines.append([]) }
            segment = place.segment
            lines[lines.count - 1].append(
                (left + (place.east - west) * scale, top + (north - place.north) * scale))
        }
        self.lines = lines
        let steps = [10.0, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
        bar = steps.last { $0 * scale <= 100 } ?? 10
        barWidth = min(bar * scale, Self.width - 24)
    }

    func write(to writer: inout MarkupWriter, identifier: String, title: String) {
        writer.element(
            "svg",
            [
                "class": "hv route",
                "viewBox": "0 0 \(SVGText.number(Self.width)) \(SVGText.number(Self.height))",
                "role": "img", "aria-labelledby": "\(identifier)t \(identifier)d",
            ]
        ) { writer in
            writer.element("title", ["id": "\(identifier)t"], text: title)
            writer.element(
                "desc", ["id": "\(identifier)d"], text: "The shape of the route, to scale, north is up.")
            writer.shape("path", ["class": "l s0", "d": lines.map { SVGText.path($0) }.joined()])
            if let first = lines.first?.first, let last = lines.last?.last {
                for (place, name) in [(first, "f2"), (last, "f1")] {
                    writer.shape(
                        "circle",
                        [
                            "class": name, "cx": SVGText.number(place.x), "cy": SVGText.number(place.y),
                            "r": "4",
                        ])
                }
            }
            let y = Self.height - 8
            writer.shape(
                "path",
                ["class": "a", "d": "M12 \(SVGText.number(y))v-4m0 2h\(SVGText.number(barWidth))m0-2v4"])
            writer.element(
                "text", ["x": SVGText.number(18 + barWidth), "y": SVGText.number(y)],
                text: bar >= 1000 ? ChartNumber.text(bar / 1000) + " km" : ChartNumber.text(bar) + " m")
        }
    }
}
