import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Labels of key slots (SECURITY.md, section 14)")
struct SlotLabelTests {
    private static let first = "on paper, in the safe"
    private static let second = "Hausarzt 🏥"

    private func container(
        in folder: borrowing TemporaryFolder, _ change: (inout Blueprint) -> Void = { _ in }
    ) throws -> Slots {
        var blueprint = try Slots.blueprint()
        change(&blueprint)
        try folder.write("container", blueprint.build().bytes)
        return Slots(folder("container"))
    }

    /// The labels as a passphrase shows them.
    private func labels(_ slots: Slots, _ passphrase: String) throws -> [Int: String] {
        try SlotListing(of: slots.path, openedBy: slots.secret(passphrase)).labels.mapValues(\.text)
    }

    @Test("A text is a label if it has 1 to 128 bytes and no control characters")
    func texts() {
        for text in ["x", Self.second, String(repeating: "ä", count: 64)] {
            #expect(SlotLabel(text)?.text == text)
        }
        for text in ["", "a\nb", "a\u{85}", "\u{1b}[2J", "\0", String(repeating: "ä", count: 64) + "x"] {
            #expect(SlotLabel(text) == nil)
        }
    }

    @Test("Labels that another writer sealed are read, and only of slots in use")
    func blueprint() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder) {
            $0.secondPassphrase = Slots.second
            $0.labels = [0: Self.first, 1: Self.second, 5: "of no slot"]
        }
        #expect(try labels(slots, Slots.second) == [0: Self.first, 1: Self.second])
        #expect(try SlotListing(of: slots.path, openedBy: slots.secret(Slots.second)).opened == 1)
    }

    @Test("A label comes with its passphrase, stays when that is changed, and goes when it is removed")
    func life() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        try slots.edit(Slots.first) { editor throws(ContainerError) in
            let number = try editor.add(
                slots.secret(Slots.second), iterations: 100_000, label: SlotLabel(Self.second))
            #expect(number == 1)
            try editor.label(slot: 0, SlotLabel(Self.first))
            #expect(editor.labels.mapValues(\.text) == [0: Self.first, 1: Self.second])
        }
        #expect(try labels(slots, Slots.second) == [0: Self.first, 1: Self.second])
        try slots.change(Slots.second, to: Slots.third)
        #expect(try labels(slots, Slots.third) == [0: Self.first, 1: Self.second])
        try slots.edit(Slots.third) { editor throws(ContainerError) in
            try editor.change(
                to: slots.secret(Slots.second), iterations: 100_000, label: SlotLabel("new"))
        }
        #expect(try labels(slots, Slots.first) == [0: Self.first, 1: "new"])
        try slots.remove(0, with: Slots.second)
        #expect(try labels(slots, Slots.second) == [1: "new"])
        #expect(try slots.add(Slots.first, with: Slots.second) == 0)
        #expect(try labels(slots, Slots.first) == [1: "new"])
        try slots.edit(Slots.first) { editor throws(ContainerError) in
            try editor.label(slot: 1, nil)
            #expect(throws: ContainerError(.noSuchSlot)) { try editor.label(slot: 7, SlotLabel("x")) }
        }
        #expect(try labels(slots, Slots.first) == [:])
        #expect(try slots.reading(Slots.first).isFlawless(payload: Slots.blueprint().payload))
    }

    // SECURITY.md: "The labels of the key slots are encrypted under a key that is used for nothing else"
    // SECURITY.md: "encrypted labels of key slots, always 1052 bytes"
    @Test("Nothing shows whether there is a label, how long it is, and whether it was changed")
    func nothingShows() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        var headers: [[UInt8]] = []
        for label in [nil, SlotLabel("x"), SlotLabel(String(repeating: "x", count: 128)), nil] {
            try slots.edit(Slots.first) { editor throws(ContainerError) in
                try editor.label(slot: 0, label)
            }
            let header = Array(try fileBytes(slots.path)[..<4096])
            #expect(header[2204..<4000].allSatisfy { $0 == 0 })
            headers.append(header)
        }
        // Slots stay as they are, nonce, labels and tag differ each time.
        #expect(Set(headers.map { Array($0[128..<1152]) }).count == 1)
        for part in [1152..<1164, 1164..<1292, 1292..<2188, 2188..<2204] {
            #expect(Set(headers.map { Array($0[part]) }).count == headers.count)
        }
    }

    @Test("What is no label, and labels whose tag does not match, are none, and do no harm")
    func crafted() throws {
        for text in ["two\nlines", "a\0b", String(repeating: "\u{9b}", count: 64)] {
            let folder = try TemporaryFolder()
            let slots = try container(in: folder) {
                $0.secondPassphrase = Slots.second
                $0.labels = [0: text, 1: Self.second]
            }
            #expect(try labels(slots, Slots.first) == [1: Self.second])
        }
        let folder = try TemporaryFolder()
        let slots = try container(in: folder) {
            $0.labels = [0: Self.first]
            $0.changeLabels = { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
        }
        #expect(try labels(slots, Slots.first) == [:])
        #expect(try slots.reading(Slots.first).isFlawless(payload: Slots.blueprint().payload))
        #expect(try slots.add(Slots.second, with: Slots.first) == 1)
    }
}
