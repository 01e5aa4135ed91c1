package import ByteText
import Database
import HealthModel
package import SampleBatches
package import SystemIO

/// Writes an export as an SQLite database.
///
/// The file is complete once the writer has finished; until then, it must not have its final name.
package final class DatabaseWriter: FormatWriter {
    private let database: FileDatabase
    private let days: Days
    private var sums: DailySums
    private var statements: DatabaseStatements
    private var losses = FormatLosses()
    private var numbers = DatabaseNumbers()
    private var copies = CopyDetection()
    private var statistics: [StatisticsKey: SampleStatistics] = [:]
    /// The numbers of the types whose samples' values can be added up.
    private var cumulative: Set<Int> = []
    private var files: DatabaseFiles

    private struct StatisticsKey: Hashable, Comparable {
        let type: Int
        let unit: [UInt8]?

        /// Orders keys by type and unit, those without a unit first.
        static func < (left: StatisticsKey, right: StatisticsKey) -> Bool {
            if left.type != right.type { return left.type < right.type }
            guard let mine = left.unit, let theirs = right.unit else {
                return left.unit == nil && right.unit != nil
            }
            return mine.lexicographicallyPrecedes(theirs)
        }
    }

    /// Creates the database in an empty file.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - application: The application identifier for its header.
    ///   - days: The rule for days.
    ///   - temporary: The absolute path of the folder for temporary files, used to sort indexes.
    /// - Throws: `DatabaseError`.
    package init(filling path: BytePath, application: UInt32, days: Days, temporary: BytePath) throws {
        try Database.setTemporaryFolder(temporary.bytes)
        let shared = FileDatabase(try Database(filling: path.bytes))
        try shared.connection.execute(DatabaseSchema.settings)
        try shared.connection.execute("BEGIN")
        try shared.connection.execute(
            "PRAGMA application_id = \(application); PRAGMA user_version = \(DatabaseSchema.version)")
        try shared.connection.execute(DatabaseSchema.tables)
        statements = try DatabaseStatements(shared.connection)
        files = try DatabaseFiles(shared)
        sums = try DailySums(shared.connection, days)
        database = shared
        self.days = days
    }

    package var makeEncoder: @Sendable () -> any FormatEncoder {
        let days = days
        return { DatabaseEncoder(days) }
    }

    package func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws {
        guard let encoded = rows.form as? DatabaseRows else { return }
        losses.add(rows)
        if encoded.devicePointers > 0 {
            losses.notKept["devicePointers", default: 0] += encoded.devicePointers
        }
        for (attribute, value) in encoded.about {
            try statements.addAbout(Array(key.element.utf8), attribute, value)
        }
        guard !encoded.samples.isEmpty else { return }
        let isFurtherPart = copies.begin(key, encoded.identities)
        let type = try number(ofType: key)
        let origins = try encoded.origins.map { try number(of: $0) }
        let metadata = try encoded.metadata.map { try number(of: $0) }
        let first = numbers.samples + 1
        var added = encoded.origins.map { _ in SampleStatistics() }
        var (texts, others) = (encoded.texts[...], encoded.others[...])
        for (index, row) in encoded.samples.enumerated() {
            let isCopy =
                isFurtherPart
                ? copies.isCopy(encoded.identities[index])
                : !encoded.copies.isEmpty && encoded.copies[index]
            try statements.addSample(
                type, origins[row.origin], row,
                metadata: row.metadata > 0 ? metadata[row.metadata - 1] : nil, isCopy: isCopy,
                text: texts.first?.sample == index ? texts.removeFirst().text : nil,
                other: others.first?.sample == index ? others.removeFirst().text : nil)
            added[row.origin].add(row, isCopy: isCopy)
        }
        for (more, origin) in zip(added, encoded.origins) {
            statistics[StatisticsKey(type: type, unit: origin.unit), default: SampleStatistics()].add(more)
        }
        if let batch = encoded.summed { try sums.add(batch, ofType: type) }
        try add(encoded.elements, metadata, firstSample: first)
        numbers.samples += encoded.samples.count
    }

    private func add(
        _ elements: [DatabaseRows.ElementRow], _ metadata: [Int], firstSample: Int
    ) throws {
        var identifiers: [Int] = []
        for element in elements {
            let identifier = numbers.next(ofTable: element.table)
            identifiers.append(identifier)
            try statements.addElement(
                element, identifier, sample: firstSample + element.sample,
                parent: element.parent.map { identifiers[$0] },
                metadata: element.metadata > 0 ? metadata[element.metadata - 1] : nil)
        }
    }

    private func number(ofType key: SampleBatch.Key) throws -> Int {
        let type = TypeName(element: key.element, type: key.type)
        if let known = numbers.types[type] { return known }
        let number = numbers.types.count + 1
        numbers.types[type] = number
        if key.isCumulative { cumulative.insert(number) }
        let identifier = AnySampleType.identifier(ofElement: key.element, type: key.type) ?? key.type
        try statements.addType(
            number, [key.element, key.type, identifier, AnySampleType.title(of: identifier)])
        return number
    }

    private func number(of origin: DatabaseRows.Origin) throws -> Int {
        if let known = numbers.origins[origin] { return known }
        let source = try origin.source.map { try numbers.number(ofSource: $0, &statements) }
        let device = try origin.device.map { try numbers.number(ofDevice: $0, &statements) }
        let number = numbers.add(origin)
        try statements.addOrigin(number, origin, source: source, device: device)
        return number
    }

    private func number(of entries: [DatabaseRows.MetadataEntry]) throws -> Int {
        if let known = numbers.metadata[entries] { return known }
        let number = numbers.add(entries)
        try statements.addMetadata(number, entries)
        return number
    }

    package func add(_ file: FormatFile, _ read: FileReading) throws {
        switch try files.add(file, read) {
        case .complete: break
        case .unparsed: losses.asText["files", default: 0] += 1
        case .withoutContent: losses.notKept["files", default: 0] += 1
        }
    }

    package func finish(_ facts: FormatFacts) throws -> FormatLosses {
        for (key, statistic) in statistics.sorted(by: { $0.key < $1.key }) {
            try statements.addStatistics(
                key.type, key.unit, statistic, isSum: cumulative.contains(key.type))
        }
        try database.connection.execute(DatabaseSchema.indexesAndViews)
        try database.connection.execute(DatabaseSchema.workoutTotals)
        try sums.finish()
        if sums.overlong > 0 { losses.notKept["overlongInSums"] = sums.overlong }
        if sums.crowded > 0 { losses.notKept["typesWithoutSums"] = sums.crowded }
        try statements.addFacts(facts.manifest, losses)
        try database.connection.execute("COMMIT")
        return losses
    }
}

/// A database shared by several writers.
final class FileDatabase {
    let connection: Database

    init(_ connection: consuming Database) { self.connection = connection }
}
