import CivilTime
import Database
import HealthModel
import HealthTypes

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

    /// An origin of samples, with the rank of its source.
    private struct Origin {
        let rank: Int
        let conversion: UnitConversion
    }

    /// Returns the number of days that a sample may count in, approximately.
    @inline(__always)
    static func parts(of row: DatabaseRows.SampleRow) -> Int {
        guard let start = row.start, row.value != nil else { return 0 }
        let length = max(start, row.end ?? start) - start
        return length <= QuantityColumns.longestSample ? 1 + length / 86400 : 0
    }

    /// Adds the sums of a type, whose samples are all in the database.
    ///
    /// - Parameters:
    ///   - numbers: The origins of its samples, in the order of the samples.
    ///   - parts: The number of days that its samples count in, together.
    mutating func add(
        type number: Int, _ type: AnySampleType, origins numbers: [Int], parts: Int,
        _ database: borrowing Database
    ) throws {
        guard parts <= Self.mostParts else {
            crowded += 1
            return
        }
        guard let unit = try Self.unit(of: number, type, database) else { return }
        let origins = try Self.origins(numbers, unit, database)
        var samples = try database.prepare(
            """
            SELECT start_time, end_time, value, origin_id FROM sample
            WHERE type_id = ? AND start_time IS NOT NULL AND value IS NOT NULL ORDER BY start_time, id
            """)
        try samples.bind(integer: number, at: 1)
        var sweep = IntervalSweep(.min ..< .max)
        while let day = try sweep.next(
            { instant in
                let start = days.start(of: .day, containing: instant)
                return start..<max(start + 1, days.start(of: .day, 1, after: start))
            }, { try Self.next(&samples, origins, &overlong) })
        {
            let pieces = day.piecesByPriority
            guard !pieces.isEmpty else { continue }
            try insertion.bind(integer: number, at: 1)
            try insertion.bind(integer: days.dayNumber(of: day.bounds.lowerBound), at: 2)
            try insertion.bind(real: pieces.reduce(0) { $0 + day.amount($1) }, at: 3)
            try insertion.bind(Array(unit.description.utf8), at: 4)
            try insertion.bind(integer: Set(pieces.map(\.index)).count, at: 5)
            try insertion.run()
        }
    }

    /// Returns the next sample that has a value in the unit; nil after the last.
    private static func next(
        _ samples: inout Statement, _ origins: [Int: Origin], _ overlong: inout Int
    ) throws(DatabaseError) -> RankedSample? {
        while try samples.step() {
            guard let start = samples.integer(at: 0), let value = samples.real(at: 2),
                let origin = samples.integer(at: 3).flatMap({ origins[$0] })
            else { continue }
            let end = max(start, samples.integer(at: 1) ?? start)
            guard end - start <= QuantityColumns.longestSample else {
                overlong += 1
                continue
            }
            return RankedSample(
                start: start, end: end,
                value: origin.conversion(value),
                rank: origin.rank)
        }
        return nil
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

    /// Returns those origins whose unit can be converted.
    private static func origins(
        _ numbers: [Int], _ unit: HealthUnit, _ database: borrowing Database
    ) throws(DatabaseError) -> [Int: Origin] {
        var row = try database.prepare(
            """
            SELECT coalesce(source.name, ''), device.description, unit FROM origin
            LEFT JOIN source ON source.id = source_id
            LEFT JOIN device ON device.id = device_id
            WHERE origin.id = ?
            """)
        func text(_ column: Int) -> String? {
            row.text(at: column).map { String(decoding: $0, as: UTF8.self) }
        }
        var sources: [(name: String, device: Device?)] = []
        var numbersOfSources: [String: Int] = [:]
        var found: [(origin: Int, source: Int, conversion: UnitConversion)] = []
        for origin in numbers {
            try row.bind(integer: origin, at: 1)
            while try row.step() {
                guard let conversion = text(2).flatMap({ try? HealthUnit($0) })?.conversion(to: unit)
                else { continue }
                let name = text(0) ?? ""
                if numbersOfSources[name] == nil {
                    numbersOfSources[name] = sources.count
                    sources.append((name, text(1).flatMap { Device(parsing: $0) }))
                }
                found.append((origin, numbersOfSources[name] ?? 0, conversion))
            }
        }
        let ranks = SourcePriority.ranks(sources, first: [])
        return Dictionary(
            found.map { ($0.origin, Origin(rank: ranks[$0.source], conversion: $0.conversion)) },
            uniquingKeysWith: { first, _ in first })
    }
}
