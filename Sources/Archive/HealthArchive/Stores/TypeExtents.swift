import AppleHealthExport
import ByteText
import HealthModel
import SampleBatches

extension TypeExtent {
    /// Returns the extents of sample types from counts by element and type.
    ///
    /// Types are distinguished and sorted by their identifiers as bytes.
    static func list(_ summaries: [Inspector.TypeSummary]) -> [TypeExtent] {
        var extents: [ExactName: TypeExtent] = [:]
        for summary in summaries {
            guard let identifier = AnySampleType.identifier(ofElement: summary.element, type: summary.type)
            else {
                continue
            }
            extents[ExactName(identifier), default: TypeExtent(type: AnySampleType(identifier))]
                .add(count: summary.count, first: summary.first, last: summary.last)
        }
        return extents.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension InspectionSink {
    /// Returns the counts as the contents of a store.
    ///
    /// - Throws: `SystemError` if the file of a zone exists but cannot be read.
    func contents() throws -> StoreContents {
        let report = report()
        var contents = StoreContents()
        contents.types = TypeExtent.list(report.types)
        contents.sources = report.sources
        contents.exportDate = Timestamp(healthApp: Array(report.exportDate.utf8).span)
        contents.days = try ExportZone.days(try zone(), exported: contents.now)
        return contents
    }
}
