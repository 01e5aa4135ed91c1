package import CivilTime
package import HealthModel
import HealthVault
import JSONText
import SystemIO

/// A printer for samples of one type, as a table, CSV or JSON lines.
package struct SampleOutput {
    private let fields: SampleFields
    private let report: ReportOptions
    private var table: TextTable
    private var isFirst = true

    package init(_ type: AnySampleType, _ units: UnitChoice, _ report: ReportOptions, _ days: Days) {
        fields = SampleFields(type: type, units: units, time: LocalTime(days: days))
        self.report = report
        table = TextTable(fields.columns.map(\.alignment))
    }

    /// Prints the next samples.
    package mutating func print(_ samples: some Sequence<AnySample>) throws {
        defer { isFirst = false }
        if report.json {
            let fields = fields
            try Console.print(jsonLines: samples.lazy.map { fields.json($0) })
        } else if report.csv {
            let header = isFirst ? [CSVCell.line(fields.csvColumns)] : []
            try Console.print(csv: header + samples.map { CSVCell.line(fields.csv($0)) })
        } else {
            var rows = samples.map { sample in fields.row(sample).map { TerminalText(escaping: $0) } }
            if isFirst { rows.insert(fields.columns.map { "\($0.title)" }, at: 0) }
            try Console.print(.lines(table.lines(rows)))
        }
    }
}
