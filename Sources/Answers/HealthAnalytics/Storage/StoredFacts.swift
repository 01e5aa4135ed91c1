import CivilTime
import Database
import HealthModel

/// What is known of a type's samples from earlier updates.
struct SeriesFacts: Sendable, Equatable {
    /// The length of the longest sample, in seconds.
    var longest = 0
    /// The sources.
    var sources: [SourceList.Source] = []
}

/// Reading and writing of facts about the samples that rows were computed from.
extension AnalyticsDatabase {
    static let factTables = ["spans", "longest", "typeSources"]

    /// Returns the sums of the spans that were processed; empty if the store did not know them.
    func spanSums() throws -> [SpanSum] {
        var sums: [SpanSum] = []
        try query("SELECT type, name, sum, first, last FROM spans") { row in
            guard let type = row[0].string, let name = row[1].string, let sum = row[2].string else { return }
            sums.append(
                SpanSum(
                    type: AnySampleType(type), name: name, sum: sum, first: row[3].integer,
                    last: row[4].integer))
        }
        return sums
    }

    /// Returns the facts by type.
    func facts() throws -> [AnySampleType: SeriesFacts] {
        var facts: [AnySampleType: SeriesFacts] = [:]
        try query("SELECT type, seconds FROM longest") { row in
            guard let type = row[0].string, let seconds = row[1].integer else { return }
            // What the database states may be any number; no sample is longer than all of time.
            let all = Timestamp.writableSeconds
            let longest = min(max(0, seconds), all.upperBound - all.lowerBound)
            facts[AnySampleType(type)] = SeriesFacts(longest: longest)
        }
        try query("SELECT type, name, kind, firstStart FROM typeSources ORDER BY type, firstStart, name") {
            row in
            guard let type = row[0].string, let name = row[1].string, let start = row[3].integer,
                let kind = row[2].integer.flatMap({ SourcePriority.Kind(rawValue: $0) })
            else { return }
            facts[AnySampleType(type)]?.sources.append(
                SourceList.Source(name: name, kind: kind, firstStart: start))
        }
        return facts
    }

    /// Replaces all facts.
    func save(_ sums: [SpanSum], _ facts: [AnySampleType: SeriesFacts]) throws {
        for table in Self.factTables { try run("DELETE FROM \(table)", []) }
        var insert = try prepare("INSERT INTO spans VALUES (?, ?, ?, ?, ?)")
        for sum in sums {
            try insert.run([
                .text(sum.type.identifier), .text(sum.name), .text(sum.sum),
                sum.first.map { .integer($0) } ?? .null, sum.last.map { .integer($0) } ?? .null,
            ])
        }
        for (type, facts) in facts {
            try run("INSERT INTO longest VALUES (?, ?)", [.text(type.identifier), .integer(facts.longest)])
            for source in facts.sources {
                try run(
                    "INSERT INTO typeSources VALUES (?, ?, ?, ?)",
                    [
                        .text(type.identifier), .text(source.name), .integer(source.kind.rawValue),
                        .integer(source.firstStart),
                    ])
            }
        }
    }
}
