import CommandLineKit
import Testing

@Suite("A grammar that contradicts itself stops the program")
struct GrammarFaultTests {
    struct Plain: ParsableCommand {
        var flag = false
        var text = ""
        var some: String?
        var texts: [String] = []

        static let grammar = declaring([])

        static func declaring(_ elements: [GrammarElement<Self>]) -> CommandGrammar<Self> {
            CommandGrammar(name: "plain", summary: "Does nothing.", elements: elements)
        }
    }

    @Test("A name declared twice")
    func repeatedName() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([.flag(\.flag, "flag", "a flag"), .flag(\.flag, "flag", "the same")]).help()
        }
    }

    @Test("A short name that help has already")
    func nameOfHelp() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([.flag(\.flag, "flag", short: "h", "a flag")]).help()
        }
    }

    @Test("A name with its dashes")
    func dashes() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([.flag(\.flag, "--flag", "a flag")]).help()
        }
    }

    @Test("A required argument after an optional one")
    func requiredAfterOptional() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([.optionalArgument(\.some, "A", "one"), .argument(\.text, "B", "two")]).help()
        }
    }

    @Test("Two repeatable arguments")
    func severalRepeatable() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([
                .repeatedArgument(\.texts, "A", required: true, "all", as: .text),
                .repeatedArgument(\.texts, "B", required: true, "all", as: .text),
            ]).help()
        }
    }

    @Test("An optional argument after a repeatable one")
    func optionalAfterRepeatable() async {
        await #expect(processExitsWith: .failure) {
            _ = Plain.declaring([
                .repeatedArgument(\.texts, "A", "all", as: .text), .optionalArgument(\.some, "B", "one"),
            ]).help()
        }
    }

    @Test("Two commands of one name")
    func repeatedCommand() async {
        await #expect(processExitsWith: .failure) {
            let entry = CommandEntry(Plain.self) { $0 }
            _ = CommandSet(
                name: "tool", summary: "", version: "",
                groups: [CommandGroup("all", [entry]), CommandGroup("more", [entry])])
        }
    }
}
