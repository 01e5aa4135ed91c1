import ByteSpans
public import HealthModel
import SampleBatches

/// The anchors, in a table.
extension PostgreSQLTarget {
    /// Returns the types that have pages.
    public func anchoredTypes() throws(SyncError) -> [AnySampleType] {
        guard hasTables else { return [] }
        return try run("SELECT DISTINCT identifier FROM \(anchors) ORDER BY 1").map {
            AnySampleType($0[0])
        }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType) throws(SyncError) -> [AnchorPage.Summary] {
        guard hasTables else { return [] }
        let rows: [[String]]
        do throws(SyncError) {
            rows = try run(
                "SELECT element, type, span, page, count, sum FROM \(anchors) WHERE identifier = $1",
                [type.identifier])
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
    public func pages(_ summaries: [AnchorPage.Summary]) throws(SyncError) -> [AnchorPage] {
        guard let span = summaries.first?.span else { return [] }
        let rows = try run(
            """
            SELECT page, encode(identities, 'hex') FROM \(anchors)
            WHERE element = $1 AND type = $2 AND span = $3 AND page = ANY ($4::integer[])
            """, [span.element, span.type, span.span, Self.array(summaries.map { String($0.number) })])
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
    public func save(_ pages: [AnchorPage]) throws(SyncError) {
        try begin()
        do { try commit(saving: pages) } catch {
            rollBack()
            throw error
        }
    }

    /// Writes pages in the transaction that has begun, all of them with one statement.
    func write(_ pages: [AnchorPage]) throws(SyncError) {
        var columns = [[String]](repeating: [], count: 8)
        for page in pages {
            let (span, sum) = (page.span, page.summary.sum)
            let key = [span.element, span.type, span.span, String(page.number)]
            guard !page.identities.isEmpty else {
                _ = try run(
                    """
                    DELETE FROM \(anchors)
                    WHERE element = $1 AND type = $2 AND span = $3 AND page = $4::integer
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
            INSERT INTO \(anchors) (element, type, span, page, identifier, count, sum, identities)
            SELECT element, type, span, page, identifier, count, sum, decode(identities, 'hex')
            FROM unnest(
                $1::text[], $2::text[], $3::text[], $4::integer[],
                $5::text[], $6::integer[], $7::text[], $8::text[]
            ) AS pages (element, type, span, page, identifier, count, sum, identities)
            ON CONFLICT (element, type, span, page)
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
    public func removeAnchors(of types: [AnySampleType]) throws(SyncError) {
        for type in types {
            _ = try run("DELETE FROM \(anchors) WHERE identifier = $1", [type.identifier])
        }
    }
}
