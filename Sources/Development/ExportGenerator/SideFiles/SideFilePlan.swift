/// Lists the files beside the main document.
struct SideFilePlan {
    private let context: ExportContext

    init(_ context: ExportContext) {
        self.context = context
    }

    /// The files that the version has: electrocardiograms and clinical records since 8, routes since 11, attachments
    /// since 13.
    var files: [GeneratedSideFile] {
        guard context.options.sideFiles != .none else { return [] }
        var files: [GeneratedSideFile] = []
        let amounts = context.amounts
        if context.version >= .v11 {
            files += (0..<amounts.routeFiles).map { index in
                file(RouteTrack(index, context).fileName, .route(index))
            }
        }
        if context.version >= .v8 {
            files += (0..<amounts.electrocardiograms).map { index in
                file(Electrocardiogram(index, context).fileName, .electrocardiogram(index))
            }
            files += (0..<amounts.clinicalFiles).map { index in
                file(ClinicalRecord(index, context).fileName, .clinicalRecord(index))
            }
        }
        if context.version >= .v13 {
            files += (0..<amounts.visionPrescriptions).map { index in
                file(VisionPrescription(index, context).fileName, .attachment(index))
            }
        }
        files.append(file("export_cda.xml", .clinicalDocument))
        return files
    }

    private func file(_ name: String, _ content: SideFileContent) -> GeneratedSideFile {
        GeneratedSideFile(name: name, content: content)
    }
}
