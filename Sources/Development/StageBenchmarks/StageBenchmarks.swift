import CommandLineKit
import Glibc
import SystemIO

/// Times each stage of an export and of reading it back separately, so that a regression can be located.
@main
struct StageBenchmarks: ParsableCommand {
    var source = ""
    var rounds = 5
    var stage: String?
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "StageBenchmarks", summary: "Times each stage of an export by itself.",
        discussion: """
            SOURCE is an export of the Health app, best one made by healthvault-generate. All of its document is held in \
            memory. Times are those of one processor, scaled to a gigabyte of XML.
            """,
        elements: [
            .argument(\.source, "SOURCE", "export.zip, its folder or an export.xml"),
            .option(
                \.rounds, "rounds", value: "N", "how often each stage runs (5)", as: .integer(in: 1...1000)),
            .option(\.stage, "stage", value: "NAME", "run this stage alone", as: .text),
            .flag(\.json, "json", "print a JSON report"),
        ])

    func validate() throws(UsageError) {
        guard let stage, !Stage.all.contains(where: { $0.name == stage }) else { return }
        throw UsageError(
            .invalidCombination, "there is no stage '\(stage)'",
            hint: Stage.all.map(\.name).joined(separator: ", "))
    }

    static func main() {
        do {
            switch try grammar.parse(Array(CommandLine.arguments.dropFirst())) {
            case .run(let command): try command.run()
            case .help(let page): try show(page.text(width: 80))
            case .text(let text): try show(text)
            }
        } catch let error as UsageError {
            fail(error.hint.isEmpty ? "\(error.message)" : "\(error.message)\n\(error.hint)", status: 2)
        } catch { fail("\(String(describing: error))", status: 1) }
    }

    private func run() throws {
        let material = try Material(BytePath(source))
        let stages = Stage.all.filter { stage == nil || $0.name == stage }
        let timings = try stages.map { try Timing($0, material, rounds: rounds) }
        try Self.show(json ? StageReport.json(timings, material) : StageReport.text(timings, material))
    }

    /// Writes the program's own text, such as help and the names of stages.
    private static func show(_ text: String) throws {
        try FileDescriptor(inherited: 1, name: "standard output").write(Array(text.utf8).span)
    }

    private static func fail(_ message: TerminalText, status: Int32) -> Never {
        let text: TerminalText = "StageBenchmarks: \(message)\n"
        try? FileDescriptor(inherited: 2, name: "standard error").write(Array(text.text.utf8).span)
        exit(status)
    }
}
