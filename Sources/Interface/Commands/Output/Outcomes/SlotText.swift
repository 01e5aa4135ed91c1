package import ByteText
package import SystemIO
package import VaultContainer
import Wording

/// Messages about key slots, with their numbers, labels and iterations.
package enum SlotText {
    /// Returns a line for each slot, with what a passphrase shows of them if there is one.
    package static func lines(_ slots: [Int: Int], _ listing: SlotListing?) -> [TerminalText] {
        slots.sorted { $0.key < $1.key }.map { number, iterations in
            let label = listing?.labels[number].map { TerminalText("\($0.text), ") } ?? ""
            let mark: TerminalText = number == listing?.opened ? ", opened by this passphrase" : ""
            return "slot \(number): \(label)\(Quantities.count(iterations)) iterations\(mark)"
        }
    }

    package static func write(_ slots: [Int: Int], _ listing: SlotListing?, _ writer: inout JSONWriter) {
        writer.key("slots")
        writer.array { writer in
            for (number, iterations) in slots.sorted(by: { $0.key < $1.key }) {
                writer.object { writer in
                    writer.member("slot", number)
                    if let label = listing?.labels[number] { writer.member("label", label.text) }
                    writer.member("iterations", iterations)
                }
            }
        }
    }
}
