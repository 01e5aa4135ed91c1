package import JSONText
package import SystemIO

/// Messages about key slots, with their numbers and iterations.
package enum SlotText {
    /// Returns a line for each slot, with a mark for the one that a passphrase opened.
    package static func lines(_ slots: [Int: Int], opened: Int?) -> [TerminalText] {
        slots.sorted { $0.key < $1.key }.map { number, iterations in
            let mark: TerminalText = number == opened ? ", opened by this passphrase" : ""
            return "slot \(number): \(Quantities.count(iterations)) iterations\(mark)"
        }
    }

    package static func write(_ slots: [Int: Int], _ writer: inout JSONWriter) {
        writer.key("slots")
        writer.array { writer in
            for (number, iterations) in slots.sorted(by: { $0.key < $1.key }) {
                writer.object { writer in
                    writer.member("slot", number)
                    writer.member("iterations", iterations)
                }
            }
        }
    }
}
