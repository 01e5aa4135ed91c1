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
            "SELECT person, coalesce(export_seconds::text, ''), coalesce(content, '') FROM \(people)")
        return rows.map { Subject($0[0], exportDate: Int($0[1]), content: $0[2].isEmpty ? nil : $0[2]) }
    }

    /// Saves a person.
    public func save(_ subject: Subject) throws(SyncError) {
        _ = try run(
            """
            INSERT INTO \(people) VALUES ($1, nullif($2, '')::bigint, nullif($3, ''))
            ON CONFLICT (person)
            DO UPDATE SET export_seconds = EXCLUDED.export_seconds, content = EXCLUDED.content
            """, [subject.person, subject.exportDate.map { String($0) } ?? "", subject.content ?? ""])
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

    /// Returns an array as PostgreSQL reads it.
    private static func array(_ texts: [String]) -> String {
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var array: [UInt8] = []
        for text in texts {
            array.append(UInt8(ascii: array.isEmpty ? "{" : ","))
            array.append(quote)
            for byte in text.utf8 {
                if byte == quote || byte == escape { array.append(escape) }
                array.append(byte)
            }
            array.append(quote)
        }
        return (array.isEmpty ? "{" : String(decoding: array, as: UTF8.self)) + "}"
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) throws(SyncError) {
        for type in types {
            _ = try run(
                "DELETE FROM \(anchors) WHERE person = $1 AND identifier = $2", [person, type.identifier])
        }
    }
}
