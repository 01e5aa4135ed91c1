import CommandLineKit
import HealthModel
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault types`.
struct TypesCommand: VaultCommand {
    var kind: AnySampleType.Kind?
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
            HelpExample("healthvault types group:heart", "List the types of a group"),
        ],
        elements: [
            .optionalArgument(
                \.text, "TEXT",
                "only types with this in their name, title or identifier, or of this group: group:heart"),
            .option(
                \.kind, "kind", value: "KIND",
                "only quantity, category, correlation, clinical, characteristic or other", as: .choice),
            .json(\.json),
        ])

    private var types: [AnySampleType] {
        AnySampleType.known.filter { (kind == nil || $0.kind == kind) && isWanted($0) }
    }

    /// Returns whether a type has the searched text in one of its names or groups, ignoring case.
    private func isWanted(_ type: AnySampleType) -> Bool {
        guard let text = text?.lowercased() else { return true }
        let groups = Self.groups(of: type).map { SampleTypeName.groupMark + $0 }
        return ([type.shortName, type.title, type.identifier] + groups).contains {
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
        let groups = SampleTypeGroup.allCases
        var table = Table("types", types, Self.columns)
        table.closing = [
            ("groups", TableObject(groups.map { ($0.rawValue, $0.types.map(\.shortName)) }))
        ]
        table.notes = ["groups: \(TerminalText.list(groups.map { SampleTypeName.groupMark + $0.rawValue }))"]
        try ReportOptions(json: json).print(table)
        return .done
    }

    private static var columns: [TableColumn<AnySampleType>] {
        [
            TableColumn("identifier", in: .json) { $0.identifier }, TableColumn("name") { $0.shortName },
            TableColumn("title") { $0.title }, TableColumn("kind", in: .json) { $0.kind.rawValue },
            TableColumn("groups", isOptional: true) { groups(of: $0) },
            TableColumn("unit", in: .text) {
                ($0.preferredUnit(in: .metric) ?? $0.canonicalUnit)?.description
            },
            TableColumn("unit", in: .json) { $0.canonicalUnit?.description },
        ]
            + MeasurementSystem.allCases.map { system in
                TableColumn("\(system.rawValue)Unit", in: .json) {
                    $0.preferredUnit(in: system)?.description
                }
            } + [
                TableColumn("aggregation", isOptional: true) { $0.aggregationStyle?.rawValue },
                TableColumn("loinc", title: "LOINC", isOptional: true) { FHIRMapping.standard[$0].loincCode },
                TableColumn("values", in: .json) { $0.categoryValues?.members.map(\.name) },
                TableColumn("members", in: .json) { $0.members.isEmpty ? nil : $0.members.map(\.identifier) },
                TableColumn("identifier", in: .text, isOptional: true) { $0.identifier },
            ]
    }
}
