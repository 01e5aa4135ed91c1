/// A file beside the main document.
public struct GeneratedSideFile: Sendable {
    /// The name relative to the export's root, such as `workout-routes/route_2024-12-26_2.53pm.gpx`.
    public let name: String

    let content: @Sendable (ExportContext) -> any SideFileContent

    private init(_ kind: (some SideFileContent).Type, _ index: Int, _ context: ExportContext) {
        name = kind.init(index, context).name
        content = { kind.init(index, $0) }
    }

    /// Returns the files that the version has: electrocardiograms and clinical records since 8, routes since 11,
    /// attachments since 13.
    static func files(of context: ExportContext) -> [GeneratedSideFile] {
        guard context.options.sideFiles != .none else { return [] }
        let amounts = context.amounts
        func files(
            _ kind: (some SideFileContent).Type, _ count: Int, since version: GeneratorOptions.DTDVersion
        ) -> [GeneratedSideFile] {
            context.version < version ? [] : (0..<count).map { GeneratedSideFile(kind, $0, context) }
        }
        return files(RouteFile.self, amounts.routeFiles, since: .v11)
            + files(ElectrocardiogramFile.self, amounts.electrocardiograms, since: .v8)
            + files(ClinicalRecordFile.self, amounts.clinicalFiles, since: .v8)
            + files(AttachmentFile.self, amounts.visionPrescriptions, since: .v13)
            + files(ClinicalDocumentFile.self, 1, since: .v3)
    }
}

/// A file written piece by piece.
protocol SideFileContent: SendableMetatype {
    /// Creates the n-th file of its kind.
    init(_ index: Int, _ context: ExportContext)

    var name: String { get }

    /// Writes what comes before the lines, or a short file as a whole.
    mutating func appendHead(to text: inout ByteText)

    /// Writes the next lines, a kilobyte at most.
    ///
    /// - Returns: Whether there were any; must not be called again after it has returned false.
    mutating func appendNext(to text: inout ByteText) -> Bool

    /// Writes what comes after the lines.
    func appendEnd(to text: inout ByteText)
}

extension SideFileContent {
    func appendNext(to text: inout ByteText) -> Bool { false }

    func appendEnd(to text: inout ByteText) {}
}
