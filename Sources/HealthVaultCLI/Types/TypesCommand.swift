import CommandLineKit
import HealthModel
import JSONText
import SystemIO

/// The command `healthvault types`.
struct TypesCommand: VaultCommand {
    var json = false

    static let grammar = CommandGrammar<Self>(
        name: "types", summary: "Lists the sample types that have a name of their own.",
        discussion: "Types that are not listed are exported all the same, under their identifiers.",
        elements: [.flag(\.json, "json", "report as JSON")])

    func run() async throws -> ExitStatus {
        guard json else {
            for type in AnySampleType.known { try Console.print("\(type.identifier)  \(type.title)") }
            return .done
        }
        var writer = JSONWriter()
        writer.array { writer in
            for type in AnySampleType.known {
                writer.object { writer in
                    writer.member("identifier", type.identifier)
                    writer.member("title", type.title)
                }
            }
        }
        try Console.print(json: String(decoding: writer.bytes, as: UTF8.self))
        return .done
    }
}
