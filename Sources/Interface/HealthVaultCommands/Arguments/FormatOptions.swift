import CommandLineKit
import HealthVault
import SystemIO

/// The option for the formats of an output.
struct FormatOptions: Sendable {
    var given: [ExportFormat] = []

    static let elements: [GrammarElement<FormatOptions>] = [
        .option(
            \.given, "format", value: "F,G", default: "ndjson",
            "one or more of ndjson, json, csv, sqlite and apple-xml",
            as: .list(
                of: ValueParser(
                    expected: "formats such as csv or json,sqlite",
                    completion: .choice(ExportFormat.allCases.map(\.rawValue))
                ) { ExportFormat(rawValue: $0) }))
    ]

    /// A description of the formats, for the help of commands that have the option.
    static let discussion = """
        Formats: ndjson is a folder with a JSON object on each line, plus the side files; json is one document; csv \
        is a folder with a table for each type; sqlite is a database; apple-xml is what the Health app exports, a zip \
        or, if the name ends in .xml, only the document. With several formats, -o names a folder for all of them.
        """

    /// The formats, each once, in a fixed order.
    var formats: [ExportFormat] {
        given.isEmpty ? [.ndjson] : ExportFormat.allCases.filter { given.contains($0) }
    }

    /// The name of the output if none is given.
    var defaultTarget: BytePath {
        guard formats.count == 1 else { return "health-export" }
        switch formats[0] {
        case .ndjson, .csv: return "health-export"
        case .json: return "health.json"
        case .sqlite: return "health.db"
        case .appleXML: return "health-export.zip"
        }
    }

    func validate(output: BytePath?) throws(UsageError) {
        guard let output, given.count == 1, let suffixes = Self.suffixes[formats[0]],
            let other = Self.suffixes.first(where: { $0.value.contains { output.hasSuffix($0) } })?.key,
            !suffixes.contains(where: { output.hasSuffix($0) })
        else { return }
        throw UsageError(
            .invalidCombination,
            "'\(output)' looks like \(other.rawValue), but --format is \(formats[0].rawValue)",
            hint: "choose another name, or use --format \(other.rawValue)")
    }

    private static let suffixes: [ExportFormat: [BytePath]] = [
        .ndjson: [], .csv: [], .json: [".json"], .sqlite: [".db", ".sqlite", ".sqlite3"],
        .appleXML: [".xml", ".zip"],
    ]
}
