import CommandLineKit
import HealthReport
import HealthVault
import SystemIO
import Tables

/// The options for values over time: how sources are merged, units, days and weeks.
struct SeriesOptions: Sendable {
    var merge = MergeOptions()
    var units = UnitChoice.source
    var days = DayOptions()
    var weekStart = WeekStartOption()

    static let elements: [GrammarElement<SeriesOptions>] = [
        .including(\.merge, MergeOptions.elements),
        .option(
            \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
        .including(\.days, DayOptions.elements),
        .including(\.weekStart, WeekStartOption.elements),
    ]

    func validate() throws(UsageError) { try merge.validate() }
}

/// The options for writing a drawing to a file.
struct DrawingOptions: Sendable {
    var output: BytePath?
    var overwrite = false

    static let elements: [GrammarElement<DrawingOptions>] = [
        .option(
            \.output, "output", short: "o", value: "FILE", "write a drawing in SVG", as: .file),
        .flag(\.overwrite, "overwrite", "replace a file that an earlier run wrote"),
    ]

    func validate() throws(UsageError) {
        try OutputName.validate(output, .drawing, hint: "./- is a file named '-'")
        if overwrite, output == nil {
            throw UsageError(.invalidCombination, "--overwrite works only with -o")
        }
    }

    /// Checks that the file can be written, before anything is read.
    func check() throws {
        guard let output else { return }
        try withAdvice { try file(output).check() }
    }

    /// Saves a drawing in the file.
    func save(_ drawing: String) throws {
        guard let output else { return }
        try withAdvice { try file(output).save(Array(drawing.utf8)) }
        Console.log("written unencrypted: \(output)")
    }

    private func file(_ path: BytePath) -> DocumentFile {
        DocumentFile(path, start: SVGDrawing.documentStart, replacing: overwrite)
    }

    /// Runs a body; the error about an existing file names the option for another one.
    private func withAdvice(_ body: () throws -> Void) throws {
        do { try body() } catch let error as VaultError where error.code == .targetExists {
            throw ExistingFile(path: error.path, option: "-o")
        }
    }
}
