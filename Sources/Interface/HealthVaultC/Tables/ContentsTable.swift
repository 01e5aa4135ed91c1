import ArchiveManifest
import ArchiveReading
import ByteSpans
import CivilTime
import HealthModel
import SampleBatches
import SystemIO
import VaultContainer

/// What an archive contains, read without decrypting any samples.
enum ContentsTable: Sendable {
    /// The types of samples with their counts and extents; the facts about the archive are the table's metadata.
    static func types(_ archive: OpenedArchive) throws -> any TableSource {
        let contents = try archive.contents()
        let identifier = archive.chain.links[0].reader.identifier
        var facts = [
            ("path", archive.path.description), ("zone", contents.days.zone),
            ("identifier", identifier),
            ("batches", String(archive.index.batchCount)),
            ("archives", String(archive.chain.links.count)),
        ]
        if let exported = contents.exportDate { facts.append(("exported", exported.iso)) }
        let columns: [ArrowField] = [
            .text("type"), .text("name"), .integer("count"), .time("first"), .time("last"),
        ]
        return WholeTable(.table(columns, metadata: facts.map { (name: $0.0, value: $0.1) })) {
            let types = contents.types
            return [
                ArrowColumn(
                    rows: types.count,
                    [
                        ArrowColumn(texts: types.map(\.type.identifier)),
                        ArrowColumn(texts: types.map(\.type.shortName)),
                        ArrowColumn(types.map { Int64($0.count) }), ArrowColumn(times: types.map(\.first)),
                        ArrowColumn(times: types.map(\.last)),
                    ])
            ]
        }
    }

    /// The batches that may contain samples of a query.
    static func batches(_ archive: OpenedArchive, _ query: TableQuery) throws -> any TableSource {
        let columns: [ArrowField] = [
            .text("type"), .text("span"), .integer("part"), .integer("count"), .time("first"), .time("last"),
            .integer("bytes"),
        ]
        let spans = try SpanSelection(archive, query).spans
        return WholeTable(.table(columns)) {
            let batches = spans.flatMap(\.self)
            return [
                ArrowColumn(
                    rows: batches.count,
                    [
                        ArrowColumn(
                            texts: batches.map {
                                AnySampleType.identifier(ofElement: $0.key.element, type: $0.key.type)
                            }),
                        ArrowColumn(texts: batches.map(\.key.span)),
                        ArrowColumn(batches.map { Int64($0.key.part) }),
                        ArrowColumn(batches.map { Int64($0.count) }),
                        ArrowColumn(times: batches.map(\.first)), ArrowColumn(times: batches.map(\.last)),
                        ArrowColumn(batches.map { Int64($0.entry.length) }),
                    ])
            ]
        }
    }
}

extension ArrowColumn {
    /// Makes a column of times in microseconds.
    init(times: [Timestamp?]) {
        self.init(optional: times.map { $0.map { Int64($0.seconds) &* 1_000_000 } })
    }

    /// Makes a column of days.
    init(days: [CivilDate]) { self.init(days.map { Int32(clamping: $0.daysSince1970) }) }
}
