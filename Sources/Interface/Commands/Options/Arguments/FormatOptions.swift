package import CommandLineKit
package import HealthVault
package import SystemIO
package import Tables
import Wording

/// The option for the formats of an output.
package struct FormatOptions: Sendable {
    package var given: [ExportFormat] = []
    package var units = UnitChoice.source

    package init() {}

    package static let elements: [GrammarElement<FormatOptions>] = [
        .option(
            \.given, "format", value: "F,G", default: "what the name of the output says, or ndjson",
            "one or more of ndjson, json, csv, sqlite, apple-xml and fhir",
            as: .list(
                of: ValueParser(
                    expected:
                        "one or more of \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))",
                    completion: .choice(ExportFormat.allCases.map(\.rawValue))
                ) { ExportFormat(rawValue: $0) })),
        .option(
            \.units, "units", value: "SYSTEM", default: "source",
            "units of values in csv and sqlite: metric, us, uk or source", as: .choice),
    ]

    /// A description of the formats, for the help of commands that have the option.
    package static let discussion = """
        Formats: ndjson is a folder with a JSON object on each line, plus the side files; json is one document; csv \
        is a folder with a table for each type; sqlite is a database; apple-xml is what the Health app exports, a zip \
        or, if the name ends in .xml, only the document; fhir is a folder with FHIR R4 resources. Without --format, the extension of the output says it: .json, \
        .db, .sqlite, .xml or .zip. With several formats, -o names a folder for all of them.
        """

    /// Returns the formats, each once, in a fixed order: those given, or else that of the output's name.
    package func formats(_ output: BytePath?) -> [ExportFormat] {
        guard given.isEmpty else { return ExportFormat.allCases.filter { given.contains($0) } }
        return [output.flatMap(Self.format) ?? .ndjson]
    }

    /// Returns the format that a name says; nil if it says none.
    private static func format(of output: BytePath) -> ExportFormat? {
        extensions.first { $0.value.contains { output.hasExtension($0) } }?.key
    }

    /// The name of the output if none is given.
    package var defaultTarget: BytePath {
        let formats = formats(nil)
        guard formats.count == 1 else { return "health-export" }
        switch formats[0] {
        case .ndjson, .csv, .fhir: return "health-export"
        case .json: return "health.json"
        case .sqlite: return "health.db"
        case .appleXML: return "health-export.zip"
        }
    }

    package func validate(output: BytePath?) throws(UsageError) {
        guard let output else { return }
        if output.hasExtension(Self.tableSuffix), given.isEmpty || given.contains(.csv) {
            throw UsageError(
                .invalidCombination,
                "'\(output)' looks like one table, but csv is a folder with one for each type",
                hint: "name a folder: -o health --format csv")
        }
        guard let other = Self.format(of: output), formats(output) != [other] else { return }
        guard formats(output).count == 1 else {
            throw UsageError(
                .invalidCombination,
                "'\(output)' looks like \(other.rawValue), but several formats are a folder",
                hint: "choose the name of a folder")
        }
        throw UsageError(
            .invalidCombination,
            "'\(output)' looks like \(other.rawValue), but --format is \(formats(output)[0].rawValue)",
            hint: "choose another name, or use --format \(other.rawValue)")
    }

    /// Refuses other units if none of the formats takes them.
    package func validateUnits(_ formats: [ExportFormat]) throws(UsageError) {
        guard units != .source, !formats.contains(where: \.takesUnits) else { return }
        throw UsageError(
            .invalidCombination, "--units is for csv and sqlite; all else keeps the units of the source",
            hint: "add --format csv or --format sqlite, or leave out --units")
    }

    private static let tableSuffix: BytePath = ".csv"
    /// The extensions of names that say a format.
    static let extensions: [ExportFormat: [BytePath]] = [
        .json: [".json"], .sqlite: [".db", ".sqlite", ".sqlite3"],
        .appleXML: [".xml", ".zip"],
    ]
}
