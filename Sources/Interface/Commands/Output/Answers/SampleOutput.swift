package import ByteText
import HealthFormats
package import HealthModel
import HealthVault
package import SystemIO
package import Tables

/// A printer for samples of one type, as a table, CSV or JSON lines.
package struct SampleOutput {
    private let report: ReportOptions
    private let table: Table<AnySample>
    private var lines: SampleLines
    private var text: TableText<AnySample>
    private var isFirst = true

    package init(
        _ type: AnySampleType, _ units: UnitChoice, _ report: ReportOptions, _ days: Days
    ) throws(SystemError) {
        self.report = report
        let archive = report.part?.archive
        let table = QueryTable.table(type, units, LocalTime(days: days))
        self.table = archive.map { table.naming(archive: $0, in: .all) } ?? table
        lines = SampleLines(self.table, type, units, days, of: archive)
        text = try report.text(of: self.table)
    }

    /// Prints the next samples.
    ///
    /// - Parameter limit: The maximum number of samples to print.
    package mutating func print(_ samples: Samples<AnySample>, limit: Int = .max) throws {
        try print(samples.indices.prefix(limit)) { samples[$0] }
    }

    /// Prints samples as they are returned.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of samples to print.
    ///   - next: Returns the next sample, nil after the last.
    package mutating func print(limit: Int, _ next: () throws -> AnySample?) throws {
        var (rest, samples): (Int, [AnySample]) = (limit, [])
        while rest > 0 {
            while samples.count < min(rest, table.rowsAtOnce), let sample = try next() {
                samples.append(sample)
            }
            guard !samples.isEmpty else { return }
            rest -= samples.count
            try print(samples.indices) { samples[$0] }
            samples.removeAll(keepingCapacity: true)
        }
    }

    private mutating func print(_ indices: Range<Int>, _ sample: (Int) -> AnySample) throws {
        defer { isFirst = false }
        if report.json {
            try Console.print(lines: indices, end: [UInt8(ascii: "\n")], isSafe: true) {
                lines.appendJSON(sample($0), to: &$1)
            }
        } else if report.csv {
            if isFirst, report.needsTitle(table.csvTitle) { try Console.print(csv: [table.csvTitle]) }
            try Console.print(lines: indices, end: CSVCell.lineEnd) { lines.appendCSV(sample($0), to: &$1) }
        } else {
            for index in indices { try text.print(sample(index)) }
            // Those of several sources have the same widths.
            if let part = report.part { return part.whole.keep(text.rows) }
            let rest = text.takeLines()
            if !rest.isEmpty { try Console.print(.lines(rest)) }
        }
    }

    /// Prints what is to be said once all samples were printed.
    package func finish() throws {
        guard report.part == nil, !report.json, !report.csv, let omission = text.rows.omission else { return }
        try Console.print(.lines(Console.wrapped(omission)))
    }
}
