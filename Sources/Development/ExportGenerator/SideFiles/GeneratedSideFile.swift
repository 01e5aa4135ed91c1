import ByteText

/// A file beside the main document.
public struct GeneratedSideFile: Sendable {
    /// The name relative to the export's root, such as `workout-routes/route_2024-12-26_2.53pm.gpx`.
    public let name: String

    let content: @Sendable () -> SideFileContent

    /// Returns the files that the version has: electrocardiograms and clinical records since 8, routes since 11,
    /// attachments since 13.
    static func files(of context: ExportContext) -> [GeneratedSideFile] {
        guard context.options.sideFiles != .none else { return [] }
        let kinds: [(count: Int?, file: (Int, ExportContext) -> GeneratedSideFile)] = [
            (context.since(.v11, context.routeFiles), route),
            (context.since(.v8, context.electrocardiograms), electrocardiogram),
            (context.since(.v8, context.clinicalFiles), clinicalRecord),
            (context.since(.v13, context.visionPrescriptions), attachment), (1, clinicalDocument),
        ]
        return kinds.flatMap { kind in (0..<(kind.count ?? 0)).map { kind.file($0, context) } }
    }

    /// A route as a GPX 1.1 document, with the elements for speed, course and accuracy that Apple adds.
    private static func route(_ index: Int, _ context: ExportContext) -> GeneratedSideFile {
        var start = RouteTrack(index, context)
        start.seconds = context.options.sideFiles == .heavy ? 2 : 10
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns="http://www.topografix.com/GPX/1/1" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>\(context.options.exportDate.utc)</time>
              </metadata>
              <trk>
                <name>Route \(start.label(between: " ", minutesAfter: ":"))</name>
                <trkseg>

            """
        return GeneratedSideFile(name: start.fileName) { [start] in
            var track = start
            return SideFileContent(
                head: head,
                next: { text in
                    guard let point = track.next() else { return false }
                    let utc = Timestamp(seconds: point.instant, offsetMinutes: 0).utc
                    for (before, value) in [
                        ("      <trkpt lon=\"", point.longitude), ("\" lat=\"", point.latitude),
                        ("\"><ele>", point.elevation),
                        ("</ele><time>\(utc)</time><extensions><speed>", point.speed),
                        ("</speed><course>", point.course), ("</course><hAcc>", point.horizontalAccuracy),
                        ("</hAcc><vAcc>", point.verticalAccuracy),
                    ] {
                        text.append(before)
                        text.append(value)
                    }
                    text.append("</vAcc></extensions></trkpt>\n")
                    return true
                },
                end: "    </trkseg>\n  </trk>\n</gpx>\n")
        }
    }

    /// The scan of a prescription: a small PDF document that contains noise, and so is as hard to compress as a photograph.
    private static func attachment(_ index: Int, _ context: ExportContext) -> GeneratedSideFile {
        // The prescription draws the identifier of its scan first.
        var prescription = context.chance(.visionPrescription, index)
        let name = "attachments/\(prescription.identifier()).pdf"
        return GeneratedSideFile(name: name) {
            let count = 8192
            let objects = [
                "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n",
                "2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n",
                "3 0 obj\n<</Length \(count)>>\nstream\n",
            ]
            // The lines of the cross-reference table have exactly 20 bytes.
            var (head, table) = ("%PDF-1.4\n", "xref\n0 4\n0000000000 65535 f \n")
            for object in objects {
                table += "\(String(10_000_000_000 + head.utf8.count).dropFirst()) 00000 n \n"
                head += object
            }
            let ending = "\nendstream\nendobj\n"
            let place = head.utf8.count + count + ending.utf8.count
            var (chance, rest) = (context.chance(.attachment, index), count)
            return SideFileContent(
                head: head,
                next: { text in
                    guard rest > 0 else { return false }
                    rest -= 1
                    text.append(UInt8(truncatingIfNeeded: chance.next()))
                    return true
                }, end: "\(ending)\(table)trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n\(place)\n%%EOF\n")
        }
    }
}

/// What a file beside the main document has, piece by piece.
struct SideFileContent {
    var head: String
    /// Writes the next lines, and returns whether there were any; is not called again after it has returned false.
    var next: (inout ByteText) -> Bool = { _ in false }
    var end = ""
}
