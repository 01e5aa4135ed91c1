import ByteText
import Database
import HealthModel

/// Computes the sums of a quantity by day, as `healthvault stats` does: at each moment, only the source with the highest
/// priority counts.
struct DailySums: ~Copyable {
    /// Number of samples that last too long to count.
    private(set) var overlong = 0
    /// Number of types whose samples have too many parts in days.
    private(set) var crowded = 0
    /// The most parts of samples in days that are summed, which takes some seconds; no phone records more.
    private static let mostParts = 1 << 24

    private let days: Days
    private var insertion: Statement

    init(_ database: borrowing Database, _ days: Days) throws {
        self.days = days
        insertion = try database.prepare("INSERT INTO daily_sum VALUES (?,?,?,?,?)")
    }

    /// Adds the sums of a type, whose samples are all in the database.
    mutating func add(_ type: AnySampleType, _ typeNumber: Int, _ database: borrowing Database) throws {
        guard let unit = try Self.unit(of: typeNumber, type, database) else { return }
        var origins = try SampleOrigins(unit, database)
        var samples = try database.prepare(
            """
            SELECT start_time, end_time, value, origin_id FROM sample
            WHERE type_id = ? AND start_time IS NOT NULL AND value IS NOT NULL ORDER BY start_time, id
            """)
        try samples.bind(integer: typeNumber, at: 1)
        var sweep = IntervalSweep(by: days.intervals(of: .day))
        func finish(before instant: Int, _ ranks: [Int]) throws {
            while let day = sweep.next(before: instant) {
                let pieces = day.piecesByPriority(ranks)
                guard !pieces.isEmpty else { continue }
                try insertion.bind(integer: typeNumber, at: 1)
                try insertion.bind(integer: days.dayNumber(of: day.bounds.lowerBound), at: 2)
                try insertion.bind(real: pieces.reduce(0) { $0 + day.amount($1) }, at: 3)
                try insertion.bind(Array(unit.description.utf8), at: 4)
                try insertion.bind(integer: Set(pieces.map(\.index)).count, at: 5)
                try insertion.run()
            }
        }
        var (tooLong, parts) = (0, 0)
        while try samples.step() {
            guard let start = samples.integer(at: 0), let value = samples.real(at: 2),
                let number = samples.integer(at: 3), let origin = try origins.origin(number)
            else { continue }
            let end = max(start, samples.integer(at: 1) ?? start)
            guard end - start <= QuantityColumns.longestSample else {
                tooLong += 1
                continue
            }
            parts += 1 + (end - start) / 86400
            guard parts <= Self.mostParts else {
                crowded += 1
                return try database.execute("DELETE FROM daily_sum WHERE type_id = \(typeNumber)")
            }
            try finish(before: start, origins.ranks)
            sweep.append(
                SweptSample(start: start, end: end, value: origin.conversion(value), source: origin.source))
        }
        try finish(before: .max, origins.ranks)
        overlong += tooLong
    }

    /// Returns the unit of the latest sample or, if it has none, the usual one.
    private static func unit(
        of number: Int, _ type: AnySampleType, _ database: borrowing Database
    ) throws(DatabaseError) -> HealthUnit? {
        var latest = try database.prepare(
            """
            SELECT unit FROM sample JOIN origin ON origin.id = origin_id
            WHERE type_id = ? AND start_time IS NOT NULL ORDER BY start_time DESC, sample.id DESC LIMIT 1
            """)
        try latest.bind(integer: number, at: 1)
        let text = try latest.step() ? latest.text(at: 0) : nil
        return text.flatMap { try? HealthUnit(String(decoding: $0, as: UTF8.self)) }
            ?? type.preferredUnit(in: .metric)
    }
}

/// The origins of a type's samples, each of which is looked up for its first sample.
private struct SampleOrigins: ~Copyable {
    /// An origin whose unit can be converted, with the number of its source.
    struct Origin {
        let source: Int
        let conversion: UnitConversion
    }

    /// The ranks of the sources.
    private(set) var ranks: [Int] = []
    private let unit: HealthUnit
    private var row: Statement
    private var known: [Int: Origin?] = [:]
    private var sources: [(name: String, device: Device?)] = []

    init(_ unit: HealthUnit, _ database: borrowing Database) throws(DatabaseError) {
        self.unit = unit
        row = try database.prepare(
            """
            SELECT coalesce(source.name, ''), device.description, unit FROM origin
            LEFT JOIN source ON source.id = source_id
            LEFT JOIN device ON device.id = device_id
            WHERE origin.id = ?
            """)
    }

    /// Returns an origin; nil if its unit measures something else.
    mutating func origin(_ number: Int) throws(DatabaseError) -> Origin? {
        if let known = known[number] { return known }
        try row.bind(integer: number, at: 1)
        var found: Origin?
        while try row.step() {
            guard let conversion = text(2).flatMap({ try? HealthUnit($0) })?.conversion(to: unit) else {
                continue
            }
            let name = text(0) ?? ""
            if !sources.contains(where: { $0.name == name }) {
                sources.append((name, text(1).flatMap { Device(parsing: $0) }))
                ranks = SourcePriority.ranks(sources, first: [])
            }
            found = Origin(
                source: sources.firstIndex { $0.name == name } ?? 0, conversion: conversion)
        }
        known[number] = .some(found)
        return found
    }

    private func text(_ column: Int) -> String? {
        row.text(at: column).map { String(decoding: $0, as: UTF8.self) }
    }
}
