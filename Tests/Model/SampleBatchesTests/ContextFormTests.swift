import ExportGenerator
import SampleBatches
import Testing

@Suite("A context made like another one")
struct ContextFormTests {
    private static let names = [
        "type", "value", "startDate", "endDate", "dateIssued", "dateComponents", "device", "position", "é",
        "e\u{301}",
    ]

    private static func slot(_ random: inout SplitMix64) -> BatchContext.Slot {
        let name = names.randomElement(using: &random) ?? "type"
        let text = Array(["\"a\"", "\"b\"", "\"\""].randomElement(using: &random)?.utf8 ?? "".utf8)
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: .constant(name: name, text: text)
        case 1: .text(name: name)
        case 2: .enclosed(name: name, before: text, after: text)
        default: .time(name: name, offsetMinutes: Int.random(in: -60...60, using: &random))
        }
    }

    private static func properties(_ context: BatchContext) -> [String] {
        [
            "\(context.columns)", "\(context.timeNames.map { Array($0.utf8) })",
            "\(String(describing: context.startSlot))",
            "\(String(describing: context.startTextSlot))", "\(context.startsOnDay)", "\(context.isOdd)",
            "\(context.mayBeOdd)", "\(context.lineSize)", String(decoding: context.json, as: UTF8.self),
        ]
    }

    @Test("has the properties that its own slots give it")
    func same() {
        var random = SplitMix64(seed: 5)
        var shared = 0
        for _ in 0..<4000 {
            let slots = (0..<random.below(5)).map { _ in Self.slot(&random) }
            // Mostly the same, with another slot, one less, or another text or offset.
            var others = slots
            if let place = slots.indices.randomElement(using: &random) {
                switch random.below(3) {
                case 0: others[place] = Self.slot(&random)
                case 1: others.remove(at: place)
                default:
                    if case .time(let name, _) = others[place] {
                        others[place] = .time(name: name, offsetMinutes: 7)
                    } else if case .constant(let name, _) = others[place] {
                        others[place] = .constant(name: name, text: Array("\"c\"".utf8))
                    }
                }
            }
            let other = BatchContext(slots: others)
            let context = BatchContext(slots: slots, like: other)
            #expect(Self.properties(context) == Self.properties(BatchContext(slots: slots)), "\(slots)")
            if context.hasForm(of: other) { shared += 1 }
        }
        #expect(shared > 100)
    }

    @Test("has its form if they differ in texts and offsets, not if names differ by a byte")
    func forms() {
        let context = BatchContext(slots: [
            .constant(name: "é", text: Array("\"a\"".utf8)), .time(name: "startDate", offsetMinutes: 60),
        ])
        let like = BatchContext(
            slots: [.constant(name: "é", text: []), .time(name: "startDate", offsetMinutes: 0)], like: context
        )
        let unlike = BatchContext(
            slots: [.constant(name: "e\u{301}", text: []), .time(name: "startDate", offsetMinutes: 0)],
            like: context)
        #expect(like.hasForm(of: context) && !unlike.hasForm(of: context))
    }
}
