import CommandLineKit
import CommandOutput
import HealthModel
import JSONText
import SystemIO

/// The command `healthvault types`.
struct TypesCommand: VaultCommand {
    var kind: AnySampleType.Kind?
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "types", summary: "Lists the sample types that have a name of their own.",
        discussion: """
            Types that are not listed are exported all the same, under their identifiers. The unit is HealthKit's own; \
            the aggregation says how samples become one number.
            """,
        elements: [
            .option(
                \.kind, "kind", value: "KIND",
                "only quantity, category, correlation, clinical, characteristic or other", as: .choice),
            .flag(\.json, "json", "report as JSON"),
        ])

    private var types: [AnySampleType] {
        AnySampleType.known.filter { kind == nil || $0.kind == kind }
    }

    func run() async throws -> ExitStatus {
        if json {
            try Console.print(json: report)
        } else {
            var table = TextTable([.left, .left, .left, .left, .left])
            let titles: [TerminalText] = ["name", "title", "unit", "aggregation", "identifier"]
            let rows = types.map { type -> [TerminalText] in
                [
                    "\(type.shortName)", "\(type.title)", "\(type.canonicalUnit?.description ?? "")",
                    "\(type.aggregationStyle?.rawValue ?? "")", "\(type.identifier)",
                ]
            }
            try Console.print(.lines(table.lines([titles] + rows)))
        }
        return .done
    }

    private var report: String {
        var writer = JSONWriter()
        writer.array { writer in
            for type in types {
                writer.object { writer in
                    writer.member("identifier", type.identifier)
                    writer.member("name", type.shortName)
                    writer.member("title", type.title)
                    writer.member("kind", type.kind.rawValue)
                    if let unit = type.canonicalUnit { writer.member("unit", unit.description) }
                    for system in MeasurementSystem.allCases {
                        if let unit = type.preferredUnit(in: system) {
                            writer.member(system.rawValue + "Unit", unit.description)
                        }
                    }
                    if let style = type.aggregationStyle { writer.member("aggregation", style.rawValue) }
                    if let values = type.categoryValues {
                        writer.member("values", values.members.map(\.name))
                    }
                    if !type.members.isEmpty { writer.member("members", type.members.map(\.identifier)) }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
