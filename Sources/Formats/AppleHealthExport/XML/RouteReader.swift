package import ByteText
import SampleBatches

/// Reads the GPX files of workout routes.
package enum RouteReader: Sendable {
    /// A route.
    package struct Route: Sendable, Equatable {
        /// Its name; nil if it has none.
        package var name: [UInt8]?
        /// Its points, in order.
        package var points: [Point] = []

        /// Whether it was recorded with interruptions, so that its points lie in several segments.
        package var isInterrupted: Bool { (points.last?.segment ?? 0) > 0 }
    }

    /// A point of a route.
    package struct Point: Sendable, Equatable {
        /// Its values as written, in order.
        package var values: [(name: Value, text: [UInt8])] = []
        /// The segment in which it lies, counted from 0; between two segments nothing was recorded.
        package var segment = 0

        /// Returns the text of a value; nil if the point lacks it.
        package subscript(name: Value) -> [UInt8]? { values.first { $0.name == name }?.text }

        /// Its place in degrees; nil if it has none on earth.
        package var place: Place? {
            guard let latitude = degrees(.latitude, to: 90), let longitude = degrees(.longitude, to: 180)
            else { return nil }
            return Place(latitude: latitude, longitude: longitude)
        }

        /// Its time, which Apple writes as `2024-05-01T08:15:00Z`; nil if it has none in that form.
        package var time: Timestamp? {
            guard let text = self[.time], text.count == 20, text.last == UInt8(ascii: "Z") else { return nil }
            return Timestamp(iso: (text.dropLast() + Array("+00:00".utf8)).span)
        }

        private func degrees(_ name: Value, to limit: Double) -> Double? {
            guard let degrees = self[name].flatMap({ Double(String(decoding: $0, as: UTF8.self)) }),
                abs(degrees) <= limit
            else { return nil }
            return degrees
        }

        /// Whether no value occurs twice and all values but the time are finite numbers.
        package var isPlain: Bool {
            Set(values.map(\.name)).count == values.count
                && values.allSatisfy { name, text in
                    name == .time
                        || JSONNumber.matches(text.span)
                            && DecimalText.number(ofToken: text.span, text.indices) != nil
                }
        }

        package static func == (left: Point, right: Point) -> Bool {
            left.segment == right.segment
                && left.values.elementsEqual(right.values) { $0.name == $1.name && $0.text == $1.text }
        }
    }

    /// A place in degrees.
    package struct Place: Sendable {
        package let latitude: Double
        package let longitude: Double

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The values of a point, which Apple writes as attributes and elements.
    package enum Value: String, Sendable, CaseIterable {
        /// In degrees.
        case longitude, latitude
        /// In metres.
        case elevation
        case time
        /// In metres per second.
        case speed
        /// In degrees; -1 if unknown.
        case course
        /// In metres.
        case horizontalAccuracy, verticalAccuracy

        init?(gpx name: String) {
            switch name {
            case "lon": self = .longitude
            case "lat": self = .latitude
            case "ele": self = .elevation
            case "time": self = .time
            case "speed": self = .speed
            case "course": self = .course
            case "hAcc": self = .horizontalAccuracy
            case "vAcc": self = .verticalAccuracy
            default: return nil
            }
        }
    }

    /// Returns the route in a GPX file; nil if it is not GPX or a point is malformed.
    package static func route(in bytes: Span<UInt8>) -> Route? {
        guard MarkupReader.place(of: Array("<gpx".utf8), in: bytes, from: 0) != nil else { return nil }
        var route = Route()
        if let start = MarkupReader.place(of: Array("<name>".utf8), in: bytes, from: 0),
            let element = try? element(bytes, at: start)
        {
            route.name = text(of: element.node)
        }
        var place = 0
        var segment = 0
        let opening = Array("<trkseg".utf8)
        while let start = MarkupReader.place(of: Array("<trkpt".utf8), in: bytes, from: place) {
            guard let element = try? element(bytes, at: start) else { return nil }
            if !route.points.isEmpty,
                MarkupReader.place(of: opening, in: bytes.extracting(place..<start), from: 0) != nil
            {
                segment += 1
            }
            var point = Point(element.node)
            point.segment = segment
            route.points.append(point)
            place = element.end
        }
        return route
    }

    /// Reads the element whose start tag is at `start`.
    private static func element(
        _ bytes: Span<UInt8>, at start: Int
    ) throws(MarkupIssue) -> (node: ElementNode, end: Int) {
        var tag = StartTag()
        try MarkupReader.startTag(bytes, at: start, into: &tag)
        var node = ElementNode(name: String(decoding: bytes.array(tag.name), as: UTF8.self))
        var oddities = ScanOddities()
        for attribute in tag.attributes {
            node.attributes.append(
                ElementNode.Attribute(
                    String(decoding: bytes.array(attribute.name), as: UTF8.self),
                    AttributeText.resolve(bytes, attribute.value, &oddities)))
        }
        guard !tag.isEmpty else { return (node, tag.end) }
        let content = try MarkupReader.content(bytes, at: tag.end, ofElement: tag.name)
        var parser = ContentParser()
        node.children = try parser.children(bytes, tag.end..<content.end)
        return (node, content.next)
    }

    fileprivate static func text(of node: ElementNode) -> [UInt8] {
        for case .text(let text) in node.children { return text }
        return []
    }
}

extension RouteReader.Point {
    fileprivate init(_ node: ElementNode) {
        for attribute in node.attributes {
            if let name = RouteReader.Value(gpx: attribute.name) { values.append((name, attribute.text)) }
        }
        add(node.children)
    }

    private mutating func add(_ children: [ElementNode.Child]) {
        for case .element(let child) in children {
            if let name = RouteReader.Value(gpx: child.name) {
                values.append((name, RouteReader.text(of: child)))
            } else {
                add(child.children)
            }
        }
    }
}
