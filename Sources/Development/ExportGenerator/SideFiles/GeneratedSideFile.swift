/// A file beside the main document.
public struct GeneratedSideFile: Sendable {
    /// The name relative to the export's root, such as `workout-routes/route_2024-12-26_2.53pm.gpx`.
    public let name: String

    let content: @Sendable () -> SideFileContent

    /// Returns the files that the version has: electrocardiograms and clinical records since 8, routes since 11,
    /// attachments since 13.
    static func files(of context: ExportContext) -> [GeneratedSideFile] {
        guard context.options.sideFiles != .none else { return [] }
        let amounts = context.amounts
        func files<Facts: Sendable>(
            _ count: Int?, _ facts: (Int) -> Facts, name: (Facts) -> String,
            _ content: @escaping @Sendable (Facts) -> SideFileContent
        ) -> [GeneratedSideFile] {
            (0..<(count ?? 0)).map(facts).map { facts in
                GeneratedSideFile(name: name(facts)) { content(facts) }
            }
        }
        return files(
            context.since(.v11, amounts.routeFiles), { RouteTrack($0, context) }, name: \.fileName
        ) { .route($0, context) }
            + files(
                context.since(.v8, amounts.electrocardiograms), { Electrocardiogram($0, context) },
                name: \.name
            ) { $0.content }
            + files(
                context.since(.v8, amounts.clinicalFiles), { ClinicalRecord($0, context) }, name: \.fileName
            ) { $0.content }
            + files(context.since(.v13, amounts.visionPrescriptions), { $0 }) {
                // The prescription draws the identifier of its scan first.
                var chance = context.chance(.visionPrescription, $0)
                return "attachments/\(chance.identifier()).pdf"
            } _: {
                .attachment(context.chance(.attachment, $0))
            }
            + [GeneratedSideFile(name: "export_cda.xml") { .clinicalDocument(context) }]
    }
}

/// What a file beside the main document has, piece by piece.
struct SideFileContent {
    var head: String

    /// Writes the next lines, and returns whether there were any; must not be called again after it has returned false.
    var next: (inout ByteText) -> Bool = { _ in false }

    var end = ""
}
