/// A route as a GPX 1.1 document, with the elements for speed, course and accuracy that Apple adds.
struct RouteFile: SideFileContent {
    private var track: RouteTrack
    private let exportInstant: Int

    init(_ route: Int, _ context: ExportContext) {
        track = RouteTrack(route, context)
        track.seconds = context.options.sideFiles == .heavy ? 2 : 10
        exportInstant = context.span.upperBound
    }

    var name: String { track.fileName }

    func appendHead(to text: inout ByteText) {
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
        text.append(universal: exportInstant)
        text.append("</time>\n  </metadata>\n  <trk>\n    <name>\(track.title)</name>\n    <trkseg>\n")
    }

    mutating func appendNext(to text: inout ByteText) -> Bool {
        guard let point = track.next() else { return false }
        func append(_ before: String, _ value: FixedPoint) {
            text.append(before)
            text.append(value)
        }
        append("      <trkpt lon=\"", point.longitude)
        append("\" lat=\"", point.latitude)
        append("\"><ele>", point.elevation)
        text.append("</ele><time>")
        text.append(universal: point.instant)
        append("</time><extensions><speed>", point.speed)
        append("</speed><course>", point.course)
        append("</course><hAcc>", point.horizontalAccuracy)
        append("</hAcc><vAcc>", point.verticalAccuracy)
        text.append("</vAcc></extensions></trkpt>\n")
        return true
    }

    func appendEnd(to text: inout ByteText) {
        text.append("    </trkseg>\n  </trk>\n</gpx>\n")
    }
}
