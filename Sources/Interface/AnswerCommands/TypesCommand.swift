import CommandLineKit
import CommandOptions
import CommandOutput
import HealthModel
import HealthVault
import JSONText
import SystemIO
import Wording

/// The command `healthvault types`.
struct TypesCommand: VaultCommand {
    var kind: AnySampleType.Kind?
    var group: SampleTypeGroup?
    var text: String?
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "types", summary: "Lists known sample types and groups.",
        discussion: """
            Types can be named by their short name, title or identifier. Unlisted types are exported as well, under \
            their identifiers. The unit is the one that exports use; the aggregation says how samples are summed up, \
            and LOINC is the code that they have in FHIR.
            """,
        examples: [
            HelpExample("healthvault types --kind quantity", "List types with a number and a unit"),
            HelpExample("healthvault types heart", "List types with a word in their names"),
            HelpExample("healthvault types --group heart", "List the types of a group"),
        ],
        elements: [
            .optionalArgument(
                \.text, "TEXT", "only types with this in their name, title, identifier or groups"),
            .option(
                \.kind, "kind", value: "KIND",
                "only quantity, category, correlation, clinical, characteristic or other", as: .choice),
            .option(\.group, "group", value: "GROUP", "only types of this group, such as heart", as: .choice),
            .json(\.json),
        ])

    private var types: [AnySampleType] {
        (group?.types ?? AnySampleType.known).filter { (kind == nil || $0.kind == kind) && isWanted($0) }
    }

    /// Returns whether a type has the searched text in one of its names, ignoring case.
    private func isWanted(_ type: AnySampleType) -> Bool {
        guard let text = text?.lowercased() else { return true }
        return ([type.shortName, type.title, type.identifier] + Self.groups(of: type)).contains {
            Substring($0.lowercased()).contains(text: text)
        }
    }

    private static func groups(of type: AnySampleType) -> [String] {
        SampleTypeGroup.allCases.filter { $0.types.contains(type) }.map(\.rawValue)
    }

    func run() async throws -> ExitStatus {
        guard !types.isEmpty else {
            throw UsageError(
                .invalidValue, "no type has '\(text ?? "")' in its names",
                hint: "'healthvault types' lists all")
        }
        if json {
            try Console.print(json: report)
        } else {
            var table = TextTable([.left, .left, .left, .left, .left, .left, .left], optional: [2, 4, 5, 6])
            let titles: [TerminalText] = [
                "name", "title", "groups", "unit", "aggregation", "LOINC", "identifier",
            ]
            let rows = types.map { type -> [TerminalText] in
                [
                    "\(type.shortName)", "\(type.title)", .list(Self.groups(of: type)),
                    "\((type.preferredUnit(in: .metric) ?? type.canonicalUnit)?.description ?? "")",
                    "\(type.aggregationStyle?.rawValue ?? "")",
                    "\(FHIRMapping.standard[type].loincCode ?? "")", "\(type.identifier)",
                ]
            }
            let groups = SampleTypeGroup.allCases.map { SampleTypeName.groupMark + $0.rawValue }
            try Console.print(.lines(table.lines([titles] + rows) + ["groups: \(TerminalText.list(groups))"]))
        }
        return .done
    }

    private var report: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("types")
            writer.array { writer in
                for type in types {
                    writer.object { writer in Self.write(type, &writer) }
                }
            }
            writer.key("groups")
            writer.object { writer in
                for group in SampleTypeGroup.allCases {
                    writer.member(group.rawValue, group.types.map(\.shortName))
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ type: AnySampleType, _ writer: inout JSONWriter) {
        writer.member("identifier", type.identifier)
        writer.member("name", type.shortName)
        writer.member("title", type.title)
        writer.member("kind", type.kind.rawValue)
        writer.member("groups", groups(of: type))
        if let unit = type.canonicalUnit { writer.member("unit", unit.description) }
        for system in MeasurementSystem.allCases {
            if let unit = type.preferredUnit(in: system) {
                writer.member(system.rawValue + "Unit", unit.description)
            }
        }
        if let style = type.aggregationStyle { writer.member("aggregation", style.rawValue) }
        if let code = FHIRMapping.standard[type].loincCode { writer.member("loinc", code) }
        if let values = type.categoryValues { writer.member("values", values.members.map(\.name)) }
        if !type.members.isEmpty { writer.member("members", type.members.map(\.identifier)) }
    }
}
