import CivilTime
import HealthModel
import HealthQueries
import HealthStores
import SystemIO
import Wording

/// Electrocardiograms with their voltages.
enum ElectrocardiogramTable: Sendable {
    /// The electrocardiograms that were recorded in the time of a query.
    static func table(_ archive: OpenedArchive, _ query: TableQuery) throws -> any TableSource {
        let columns: [ArrowField] = [
            .time("recorded"), .text("file"), .text("classification"), .text("classificationText"),
            .list("symptoms", of: .text("item")), .double("hertz"), .double("seconds"), .text("device"),
            .text("softwareVersion"), .text("lead"), .list("microvolts", of: .double("item")),
        ]
        let store = try archive.store()
        return WholeTable(.table(columns)) {
            let (all, contents) = try CallerExecutor.run {
                (try await store.electrocardiograms().recordings, try await store.contents())
            }
            let range = query.range.resolved(in: contents)
            let recordings = all.filter {
                $0.recordedDate.map { range.contains($0.seconds) } ?? query.range.isUnlimited
            }
            return recordings.map { recording in
                ArrowColumn(
                    rows: 1,
                    [
                        ArrowColumn(times: [recording.recordedDate]), ArrowColumn(texts: [recording.path]),
                        ArrowColumn(texts: ["\(recording.classification)"]),
                        ArrowColumn(texts: [recording.classificationText]),
                        ArrowColumn(lists: [recording.symptoms]) { ArrowColumn(texts: $0) },
                        ArrowColumn(optional: [recording.samplingFrequency]),
                        ArrowColumn(optional: [recording.duration]), ArrowColumn(texts: [recording.device]),
                        ArrowColumn(texts: [recording.softwareVersion]), ArrowColumn(texts: [recording.lead]),
                        ArrowColumn(lists: [Array(recording.voltages.microvolts)]) { ArrowColumn($0) },
                    ])
            }
        }
    }
}
