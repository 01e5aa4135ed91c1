import CommandLineKit
import CommandOptions
import CommandOutput
import HealthReport
import HealthVault
import SystemIO

/// The options for writing a drawing to a file.
struct DrawingOptions: Sendable {
    var svg: BytePath?
    var overwrite = false

    static let elements: [GrammarElement<DrawingOptions>] = [
        .option(\.svg, "svg", value: "FILE", "write a drawing in SVG", as: .file),
        .flag(\.overwrite, "overwrite", "replace a file that an earlier run wrote"),
    ]

    func validate() throws(UsageError) {
        try OutputName.validate(svg, option: "--svg", hint: "./- is a file named '-'")
        if overwrite, svg == nil {
            throw UsageError(.invalidCombination, "--overwrite works only with --svg")
        }
    }

    /// Checks that the file can be written, before anything is read.
    func check() throws {
        guard let svg else { return }
        try DocumentFile(svg, start: SVGDrawing.documentStart, replacing: overwrite).check()
    }

    /// Saves a drawing in the file.
    func save(_ drawing: String) throws {
        guard let svg else { return }
        let file = DocumentFile(svg, start: SVGDrawing.documentStart, replacing: overwrite)
        try file.save(Array(drawing.utf8))
        Console.log("written unencrypted: \(svg)")
    }
}
