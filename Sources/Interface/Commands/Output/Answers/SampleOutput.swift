package import ByteText
import HealthFormats
package import HealthModel
import HealthVault
import SystemIO
package import Tables

/// A printer for samples of one type, as a table, CSV or JSON lines.
package struct SampleOutput {
    private let fields: SampleFields
    private let report: ReportOptions
    private var lines: SampleLines
    private var table: TextTable
    private var isFirst = true

    package init(_ type: AnySampleType, _ units: UnitChoice, _ report: ReportOptions, _ days: Days) {
        fields = SampleFields(type: type, units: units, time: LocalTime(days: days))
        self.report = report
        lines = SampleLines(fields)
        // A workout has its duration as well.
        table = TextTable(fields.columns.map(\.alignment), optional: type == .workout ? [1] : [])
    }

    /// The number of rows that determine the widths of columns, and that are in memory at a time.
    private static let rowsAtOnce = 1024

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
            while samples.count < min(rest, Self.rowsAtOnce), let sample = try next() {
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
        let fields = fields
        if report.json {
            try Console.print(lines: indices, end: [UInt8(ascii: "\n")], isSafe: true) {
                lines.appendJSON(sample($0), to: &$1)
            }
        } else if report.csv {
            if isFirst { try Console.print(csv: [CSVCell.line(fields.csvColumns)]) }
            try Console.print(lines: indices, end: CSVCell.lineEnd) { lines.appendCSV(sample($0), to: &$1) }
        } else {
            var rows: [[TerminalText]] = isFirst ? [fields.columns.map { "\($0.title)" }] : []
            for index in indices {
                rows.append(fields.row(sample(index)).map { TerminalText(escaping: $0) })
                guard rows.count >= Self.rowsAtOnce else { continue }
                try Console.print(.lines(table.lines(rows)))
                rows.removeAll(keepingCapacity: true)
            }
            if !rows.isEmpty { try Console.print(.lines(table.lines(rows))) }
        }
    }
}
