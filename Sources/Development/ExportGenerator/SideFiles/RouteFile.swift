/// A route as a GPX 1.1 document, with the elements for speed, course and accuracy that Apple adds.
struct RouteFile: SideFileGenerator {
    private enum Step {
        case head
        case points
        case done
    }

    private var track: RouteTrack
    private let exportInstant: Int
    private var step = Step.head

    init(_ route: Int, _ context: ExportContext) {
        track = RouteTrack(route, context)
        track.seconds = context.options.sideFiles == .heavy ? 2 : 10
        exportInstant = context.span.upperBound
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        switch step {
        case .head:
            appendHead(to: &text)
            step = .points
        case .points:
            if let point = track.next() {
                Self.append(point, to: &text)
            } else {
                text.append("    </trkseg>\n  </trk>\n</gpx>\n")
                step = .done
            }
        case .done:
            return false
        }
        return true
    }

    private func appendHead(to text: inout ByteText) {
        text.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns="http://www.topografix.com/GPX/1/1" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>
            """)
        WallTime(exportInstant).appendUniversal(to: &text)
        text.append("</time>\n  </metadata>\n  <trk>\n    <name>")
        text.append(track.title)
        text.append("</name>\n    <trkseg>\n")
    }

    private static func append(_ point: RouteTrack.Point, to text: inout ByteText) {
        text.append("      <trkpt lon=\"")
        text.append(point.longitude)
        text.append("\" lat=\"")
        text.append(point.latitude)
        text.append("\"><ele>")
        text.append(point.elevation)
        text.append("</ele><time>")
        WallTime(point.instant).appendUniversal(to: &text)
        text.append("</time><extensions><speed>")
        text.append(point.speed)
        text.append("</speed><course>")
        text.append(point.course)
        text.append("</course><hAcc>")
        text.append(point.horizontalAccuracy)
        text.append("</hAcc><vAcc>")
        text.append(point.verticalAccuracy)
        text.append("</vAcc></extensions></trkpt>\n")
    }
}
