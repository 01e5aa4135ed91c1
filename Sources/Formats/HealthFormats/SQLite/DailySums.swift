import ByteText
import Database
import HealthModel
import SampleBatches

/// Adds up quantities by day while their samples are written, as `healthvault stats` does: at each moment, only the source
/// with the highest priority counts.
struct DailySums: ~Copyable {
    /// Number of samples that last too long to count.
    private(set) var overlong = 0
    /// Number of types whose samples have too many parts in days.
    private(set) var crowded = 0
    private let days: Days
    private var insertion: Statement
    private var current: TypeSums

    init(_ database: borrowing Database, _ days: Days) throws {
        self.days = days
        insertion = try database.prepare("INSERT INTO daily_sum VALUES (?,?,?,?,?)")
        current = TypeSums(0, days)
    }

    /// Adds samples; those of a type follow each other, span by span in chronological order.
    mutating func add(_ batch: SampleBatch, ofType number: Int) throws {
        if number != current.type {
            try finish()
            current = TypeSums(number, days)
        }
        current.add(batch)
    }

    /// Stores the sums of the last type, in the unit of its latest sample.
    mutating func finish() throws {
        current.finish()
        guard !current.isCrowded else {
            crowded += 1
            return
        }
        overlong += current.columns.overlong
        guard let unit = current.columns.unit else { return }
        let latest = current.columns.sourceUnit ?? unit
        let conversion = unit.conversion(to: latest)
        for sum in current.sums {
            try insertion.bind(integer: current.type, at: 1)
            try insertion.bind(integer: sum.day, at: 2)
            try insertion.bind(real: conversion?(sum.value) ?? sum.value, at: 3)
            try insertion.bind(Array((conversion == nil ? unit : latest).description.utf8), at: 4)
            try insertion.bind(integer: sum.count, at: 5)
            try insertion.run()
        }
    }
}

/// The sums of one type.
private struct TypeSums {
    let type: Int
    /// The samples of the current span, and the sources of all.
    private(set) var columns = QuantityColumns()
    private(set) var sums: [(day: Int, value: Double, count: Int)] = []
    private let days: Days
    private var sweep: IntervalSweep
    private var span: SampleBatch.Key?
    /// Number of parts that samples have in days, approximately.
    private var parts = 0
    /// The most parts that are added up, which takes some seconds; no phone records more.
    private static let mostParts = 1 << 24

    init(_ type: Int, _ days: Days) {
        self.type = type
        self.days = days
        sweep = IntervalSweep(by: days.intervals(of: .day))
    }

    var isCrowded: Bool { parts > Self.mostParts }

    mutating func add(_ batch: SampleBatch) {
        if span != batch.key.ofSpan { finishSpan() }
        span = batch.key.ofSpan
        guard !isCrowded, let samples = Samples(span: [batch]).converted(to: QuantitySample.self) else {
            return
        }
        let known = columns.count
        columns.append(samples)
        for index in known..<columns.count {
            parts += 1 + (columns.ends[index] - columns.starts[index]) / 86400
        }
    }

    mutating func finish() {
        finishSpan()
        if !isCrowded { finishDays(before: .max, columns.ranks(.priority())) }
    }

    private mutating func finishSpan() {
        defer { columns.removeSamples() }
        guard !isCrowded else { return }
        let ranks = columns.ranks(.priority())
        // The parts of a span overlap.
        let order = columns.order
        for place in 0..<columns.count {
            let sample = columns[place, in: order]
            finishDays(before: sample.start, ranks)
            sweep.append(sample)
        }
    }

    private mutating func finishDays(before instant: Int, _ ranks: [Int]) {
        while let day = sweep.next(before: instant) {
            let pieces = day.piecesByPriority(ranks)
            guard !pieces.isEmpty else { continue }
            sums.append(
                (
                    days.dayNumber(of: day.bounds.lowerBound), pieces.reduce(0) { $0 + day.amount($1) },
                    SweptInterval.sampleCount(of: pieces)
                ))
        }
    }
}
