import CivilTime

extension SideFileContent {
    /// A route as a GPX 1.1 document, with the elements for speed, course and accuracy that Apple adds.
    static func route(_ start: RouteTrack, _ context: ExportContext) -> SideFileContent {
        var track = start
        track.seconds = context.options.sideFiles == .heavy ? 2 : 10
        return SideFileContent(
            head: """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Apple Health Export" \
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xmlns="http://www.topografix.com/GPX/1/1" \
                xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
                http://www.topografix.com/GPX/1/1/gpx.xsd">
                  <metadata>
                    <time>\(universal(context.span.upperBound))</time>
                  </metadata>
                  <trk>
                    <name>\(track.title)</name>
                    <trkseg>

                """,
            next: { text in
                guard let point = track.next() else { return false }
                func append(_ before: String, _ value: FixedPoint) {
                    text.append(before)
                    text.append(value)
                }
                append("      <trkpt lon=\"", point.longitude)
                append("\" lat=\"", point.latitude)
                append("\"><ele>", point.elevation)
                text.append("</ele><time>\(universal(point.instant))")
                append("</time><extensions><speed>", point.speed)
                append("</speed><course>", point.course)
                append("</course><hAcc>", point.horizontalAccuracy)
                append("</hAcc><vAcc>", point.verticalAccuracy)
                text.append("</vAcc></extensions></trkpt>\n")
                return true
            },
            end: "    </trkseg>\n  </trk>\n</gpx>\n")
    }

    /// Returns `2026-01-15T08:30:00Z`.
    private static func universal(_ instant: Int) -> String {
        "\(Timestamp(seconds: instant, offsetMinutes: 0).utc)"
    }
}
