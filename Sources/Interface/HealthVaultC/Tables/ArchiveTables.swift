import ByteText
import HealthArchive
import HealthModel
import HealthQueries
import SampleBatches
import SystemIO
import Tables
import VaultContainer

/// The tables of an archive that are small enough to be made as a whole.
extension OpenedArchive {
    /// The types of samples with their counts and extents, read without decrypting any; the facts about the archive are
    /// the table's metadata.
    func typeTable() throws -> any TableSource {
        let contents = try contents()
        var facts = [
            ("path", path.description), ("zone", contents.days.zone),
            ("identifier", chain.links[0].reader.identifier), ("batches", String(index.batchCount)),
            ("archives", String(chain.links.count)),
        ]
        if let exported = contents.exportDate { facts.append(("exported", exported.iso)) }
        let columns: [TableColumn<TypeExtent>] = [
            TableColumn("type") { $0.type.identifier }, TableColumn("name") { $0.type.shortName },
            TableColumn("count") { $0.count }, TableColumn("first") { $0.first },
            TableColumn("last") { $0.last },
        ]
        return WholeTable(columns, metadata: facts.map { (name: $0.0, value: $0.1) }) { [contents.types] }
    }

    /// The batches that may contain samples of a query, likewise.
    func batchTable(_ query: TableQuery) throws -> any TableSource {
        let spans = try SpanSelection(self, query).spans
        let columns: [TableColumn<IndexedBatch>] = [
            TableColumn("type") { AnySampleType.identifier(ofElement: $0.key.element, type: $0.key.type) },
            TableColumn("span") { $0.key.span }, TableColumn("part") { $0.key.part },
            TableColumn("count") { $0.count }, TableColumn("first") { $0.first },
            TableColumn("last") { $0.last }, TableColumn("bytes") { $0.entry.length },
        ]
        return WholeTable(columns) { [spans.flatMap(\.self)] }
    }

    /// The nights that end in the time of a query, with the time in each stage of sleep.
    func sleepTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        let time = LocalTime(days: try contents().days)
        return WholeTable(SleepTable.columns(time, hasGaps: true)) {
            let found = try CallerExecutor.run { try await store.sleepTimes(in: query.range).sessions }
            return [found.filter { $0.timeAsleep > 0 }]
        }
    }

    /// The workouts that start in the time of a query.
    func workoutTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        let columns: [TableColumn<Workout>] = [
            TableColumn("id") { $0.id.description }, TableColumn("start") { $0.startDate },
            TableColumn("end") { $0.endDate }, TableColumn("activity") { $0.activityName },
            TableColumn("durationSeconds") { $0.durationSeconds },
            TableColumn("distance") { $0.totalDistance?.value },
            TableColumn("distanceUnit") { $0.totalDistance?.unit.description },
            TableColumn("energy") { $0.totalEnergyBurned?.value },
            TableColumn("energyUnit") { $0.totalEnergyBurned?.unit.description },
            TableColumn("source") { $0.sourceName }, TableColumn("version") { $0.sourceVersion },
            TableColumn("device") { $0.device?.name },
        ]
        return WholeTable(columns) {
            [try CallerExecutor.run { try await store.samples(.workout, in: query.range).all() }]
        }
    }

    /// The electrocardiograms that were recorded in the time of a query, with their voltages.
    func electrocardiogramTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        return WholeTable(ElectrocardiogramTable.columns(LocalTime(days: .utc))) {
            let (all, contents) = try CallerExecutor.run {
                (try await store.electrocardiograms().recordings, try await store.contents())
            }
            let range = query.range.resolved(in: contents)
            return all.enumerated().filter {
                $0.element.recordedDate.map { range.contains($0.seconds) } ?? query.range.isUnlimited
            }.map { [$0] }
        }
    }
}
