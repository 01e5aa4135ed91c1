/// A file beside the main document.
public struct GeneratedSideFile: Sendable {
    /// The name relative to the export's root, such as `workout-routes/route_2024-12-26_2.53pm.gpx`.
    public let name: String

    let content: SideFileContent
}

/// The content of a file beside the main document.
enum SideFileContent: Sendable {
    case route(Int)
    case electrocardiogram(Int)
    case clinicalRecord(Int)
    case attachment(Int)
    case clinicalDocument

    func generator(_ context: ExportContext) -> any SideFileGenerator {
        switch self {
        case .route(let index): RouteFile(index, context)
        case .electrocardiogram(let index): ElectrocardiogramFile(index, context)
        case .clinicalRecord(let index): ClinicalRecordFile(index, context)
        case .attachment(let index): AttachmentFile(index, context)
        case .clinicalDocument: ClinicalDocumentFile(context)
        }
    }
}

/// Writes a file piece by piece.
protocol SideFileGenerator {
    /// Writes the next piece, usually one or a few lines.
    ///
    /// - Returns: Whether there was one; must not be called again after it has returned false.
    mutating func appendNext(to text: inout ByteText) -> Bool
}
