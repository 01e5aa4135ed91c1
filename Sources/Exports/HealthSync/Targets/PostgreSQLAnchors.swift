import ByteText
public import HealthArchive
public import HealthModel
import SampleBatches

/// The anchors, in a table.
extension PostgreSQLTarget {
    /// Several: the rows of each have the name.
    public nonisolated var capacity: SubjectCapacity { .several }

    /// Returns the people whose samples the table has.
    public func subjects() throws(SyncError) -> [Subject] {
        guard hasTables else { return [] }
        let rows = try run(
            """
            SELECT person, coalesce(export_seconds::text, ''), coalesce(content, ''), coalesce(zone, '')
            FROM \(people)
            """)
        return rows.map { row in
            Subject(
                row[0], exportDate: Int(row[1]), content: row[2].isEmpty ? nil : row[2],
                zone: row[3].isEmpty ? nil : PostgreSQLZone.zone(ofName: row[3]))
        }
    }

    /// Saves a person.
    public func save(_ subject: Subject) throws(SyncError) {
        _ = try run(
            """
            INSERT INTO \(people) (person, export_seconds, content, zone)
            VALUES ($1, nullif($2, '')::bigint, nullif($3, ''), nullif($4, ''))
            ON CONFLICT (person) DO UPDATE
            SET export_seconds = EXCLUDED.export_seconds, content = EXCLUDED.content, zone = EXCLUDED.zone
            """,
            [
                subject.person, subject.exportDate.map { String($0) } ?? "", subject.content ?? "",
                subject.zone.map(PostgreSQLZone.name) ?? "",
            ])
    }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) throws(SyncError) -> [AnySampleType] {
        guard hasTables else { return [] }
        return try run("SELECT DISTINCT identifier FROM \(anchors) WHERE person = $1 ORDER BY 1", [person])
            .map { AnySampleType($0[0]) }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(
        of type: AnySampleType, of person: String
    ) throws(SyncError) -> [AnchorPage.Summary] {
        guard hasTables else { return [] }
        let rows: [[String]]
        do throws(SyncError) {
            rows = try run(
                """
                SELECT element, type, span, page, count, sum FROM \(anchors)
                WHERE person = $1 AND identifier = $2
                """, [person, type.identifier])
        } catch {
            // A name with letters that the database does not have.
            guard case .unsuitable = error.code else { throw error }
            return []
        }
        var found: [AnchorPage.Summary] = []
        for row in rows {
            guard let page = Int(row[3]), let count = Int(row[4]),
                let summary = AnchorPage.Summary(
                    element: row[0], type: row[1], span: row[2], number: page, count: count, sum: row[5])
            else { throw SyncError(.unreadableAnchors, of: type) }
            found.append(summary)
        }
        return found
    }

    /// Returns pages.
    public func pages(
        _ summaries: [AnchorPage.Summary], of person: String
    ) throws(SyncError) -> [AnchorPage] {
        guard let span = summaries.first?.span else { return [] }
        let rows = try run(
            """
            SELECT page, encode(identities, 'hex') FROM \(anchors)
            WHERE person = $1 AND element = $2 AND type = $3 AND span = $4 AND page = ANY ($5::integer[])
            """,
            [person, span.element, span.type, span.span, Self.array(summaries.map { String($0.number) })])
        let texts = Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
        var pages: [AnchorPage] = []
        for summary in summaries {
            guard let text = texts[String(summary.number)], let bytes = Hexadecimal.bytes(text),
                let page = AnchorPage(summary, bytes: bytes)
            else { throw SyncError(.unreadableAnchors, of: span.sampleType) }
            pages.append(page)
        }
        return pages
    }

    /// Saves pages in a transaction of their own.
    public func save(_ pages: [AnchorPage], of person: String) throws(SyncError) {
        try begin(of: person)
        do { try commit(saving: pages) } catch {
            rollBack()
            throw error
        }
    }

    /// Writes pages in the transaction that has begun, all of them with one statement.
    func write(_ pages: [AnchorPage]) throws(SyncError) {
        var columns = [[String]](repeating: [], count: 9)
        for page in pages {
            let (span, sum) = (page.span, page.summary.sum)
            let key = [person, span.element, span.type, span.span, String(page.number)]
            guard !page.identities.isEmpty else {
                _ = try run(
                    """
                    DELETE FROM \(anchors)
                    WHERE person = $1 AND element = $2 AND type = $3 AND span = $4 AND page = $5::integer
                    """, key)
                continue
            }
            let values = [
                span.sampleType.identifier, String(sum.count), sum.hexadecimal, Hexadecimal.text(page.bytes),
            ]
            for (column, value) in (key + values).enumerated() { columns[column].append(value) }
        }
        guard !columns[0].isEmpty else { return }
        _ = try run(
            """
            INSERT INTO \(anchors) (person, element, type, span, page, identifier, count, sum, identities)
            SELECT person, element, type, span, page, identifier, count, sum, decode(identities, 'hex')
            FROM unnest(
                $1::text[], $2::text[], $3::text[], $4::text[], $5::integer[],
                $6::text[], $7::integer[], $8::text[], $9::text[]
            ) AS pages (person, element, type, span, page, identifier, count, sum, identities)
            ON CONFLICT (person, element, type, span, page)
            DO UPDATE SET count = EXCLUDED.count, sum = EXCLUDED.sum, identities = EXCLUDED.identities
            """, columns.map(Self.array))
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) throws(SyncError) {
        for type in types {
            _ = try run(
                "DELETE FROM \(anchors) WHERE person = $1 AND identifier = $2", [person, type.identifier])
        }
    }
}

/// The names of zones for `AT TIME ZONE`, which takes `+01:00` for an hour west of Greenwich, as POSIX does.
private enum PostgreSQLZone: Sendable {
    /// Returns the name of a zone: `<+01:00>-01:00` for an offset.
    static func name(_ zone: String) -> String {
        switch zone.first {
        case "+": "<\(zone)>-\(zone.dropFirst())"
        case "-": "<\(zone)>+\(zone.dropFirst())"
        default: zone
        }
    }

    /// Returns the zone with a name.
    static func zone(ofName name: String) -> String {
        name.first == "<" ? String(name.dropFirst().prefix { $0 != ">" }) : name
    }
}
