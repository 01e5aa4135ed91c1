import SystemIO
import Testing
import VaultContainer
import VaultCrypto

/// Changes of the slots of containers that derive keys cheaply.
struct Slots: Sendable {
    static let first = Blueprint.passphrase
    static let second = "another passphrase"
    static let third = "and one more passphrase"

    /// What all containers here are made of.
    static func blueprint() throws -> Blueprint { try Blueprint(members: [("a", noise(20_000))]) }

    let path: BytePath
    private let derivations = Known()

    init(_ path: BytePath) { self.path = path }

    /// The keys derived so far, by passphrase.
    private final class Known: Sendable {
        private let derivations = [
            first: KeyDerivations(), second: KeyDerivations(), third: KeyDerivations(),
        ]

        func of(_ passphrase: String) -> KeyDerivations { derivations[passphrase] ?? KeyDerivations() }
    }

    func edit<Result>(
        _ passphrase: String, _ body: (inout SlotEditor) throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result {
        let secret = secret(passphrase)
        var editor = try SlotEditor(
            opening: path, passphrase: secret, derivations: derivations.of(passphrase))
        editor.acceptedIterations = ContainerFormat.readableIterations
        return try body(&editor)
    }

    func change(_ passphrase: String, to new: String) throws(ContainerError) {
        try edit(passphrase) { editor throws(ContainerError) in
            try editor.change(to: secret(new), iterations: 100_000)
        }
    }

    func add(_ new: String, with passphrase: String) throws(ContainerError) -> Int {
        try edit(passphrase) { editor throws(ContainerError) in
            try editor.add(secret(new), iterations: 100_000)
        }
    }

    func remove(_ number: Int, with passphrase: String) throws(ContainerError) {
        try edit(passphrase) { editor throws(ContainerError) in try editor.remove(slot: number) }
    }

    func reading(_ passphrase: String) throws -> Reading {
        try Reading(path: path, passphrase: passphrase, derivations: derivations.of(passphrase))
    }

    func secret(_ text: String) -> Passphrase {
        let bytes = Array(text.utf8)
        do { return try Passphrase(preparing: bytes.span) } catch { preconditionFailure("a good passphrase") }
    }
}

@Suite("Key slots")
struct SlotTests {
    private let payload: [UInt8]

    init() throws { payload = try Slots.blueprint().payload }

    private func container(in folder: borrowing TemporaryFolder) throws -> Slots {
        try folder.write("container", Slots.blueprint().build().bytes)
        return Slots(folder("container"))
    }

    // SECURITY.md: "Changing a passphrase does not change the file key"
    @Test("A changed passphrase opens the container, and the old one does not any more")
    func change() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        let before = try fileBytes(slots.path)
        try slots.change(Slots.first, to: Slots.second)
        #expect(try slots.reading(Slots.second).isFlawless(payload: payload))
        #expect(try slots.reading(Slots.first).failure == .wrongPassphrase)
        let after = try fileBytes(slots.path)
        #expect(after.count == before.count)
        #expect(after[4096..<(after.count - 4096)] == before[4096..<(before.count - 4096)])
        #expect(after[..<4096] == after[(after.count - 4096)...])
        #expect(after[64..<72].elementsEqual(bigEndian(2)))
    }

    // SECURITY.md: "replace a newer archive, or its header, with an older copy, which opens with the"
    @Test("A header from before the change still opens with the old passphrase")
    func oldHeader() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        let old = try fileBytes(slots.path)[..<4096]
        try slots.change(Slots.first, to: Slots.second)
        let new = try fileBytes(slots.path)
        let reverted = Array(old + new[4096..<(new.count - 4096)] + old)
        try folder.write("reverted", reverted)
        let reading = try Reading(path: folder("reverted"))
        #expect(reading.isFlawless(payload: payload))
    }

    @Test("Up to eight passphrases open the container, and one more is refused")
    func eight() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        for number in 1..<8 {
            #expect(try slots.add("passphrase number \(number)", with: Slots.first) == number)
        }
        #expect(throws: ContainerError(.noFreeSlot)) { try slots.add("one more", with: Slots.first) }
        for number in 1..<8 {
            #expect(try slots.reading("passphrase number \(number)").isFlawless(payload: payload))
        }
        try slots.remove(3, with: Slots.first)
        #expect(try slots.reading("passphrase number 3").failure == .wrongPassphrase)
        #expect(try slots.reading("passphrase number 4").isFlawless(payload: payload))
        #expect(try slots.add("one more", with: "passphrase number 7") == 3)
    }

    @Test("One editor makes several changes")
    func several() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        try slots.edit(Slots.first) { editor throws(ContainerError) in
            try editor.change(to: slots.secret(Slots.second), iterations: 100_000)
            #expect(editor.ownSlot == 0)
            #expect(try editor.add(slots.secret(Slots.third), iterations: 100_000) == 1)
            try editor.change(to: slots.secret(Slots.first), iterations: 100_000)
            try editor.remove(slot: 1)
        }
        #expect(try slots.reading(Slots.first).isFlawless(payload: payload))
        for passphrase in [Slots.second, Slots.third] {
            #expect(try slots.reading(passphrase).failure == .wrongPassphrase)
        }
    }

    @Test("The last slot stays, and no passphrase gets two slots")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        let before = try fileBytes(slots.path)
        #expect(throws: ContainerError(.lastSlot)) { try slots.remove(0, with: Slots.first) }
        #expect(throws: ContainerError(.noSuchSlot)) { try slots.remove(1, with: Slots.first) }
        #expect(throws: ContainerError(.passphraseInUse)) { try slots.add(Slots.first, with: Slots.first) }
        #expect(throws: ContainerError(.wrongPassphrase)) { try slots.add(Slots.third, with: Slots.second) }
        #expect(try fileBytes(slots.path) == before)
        #expect(try slots.add(Slots.second, with: Slots.first) == 1)
        #expect(throws: ContainerError(.passphraseInUse)) {
            try slots.change(Slots.first, to: Slots.second)
        }
    }

    @Test("Writers take safe iterations only, and no more in all than a reader tries")
    func iterations() throws {
        let folder = try TemporaryFolder()
        let slots = try container(in: folder)
        let text = Array(Slots.second.utf8)
        for count in [599_999, 10_000_001] {
            #expect(throws: ContainerError(.kdfRefused)) {
                try slots.edit(Slots.first) { editor throws(ContainerError) in
                    editor.acceptedIterations = ContainerFormat.writableIterations
                    guard let secret = try? Passphrase(preparing: text.span) else { return }
                    try editor.change(to: secret, iterations: count)
                }
            }
        }
        #expect(throws: ContainerError(.iterationsExceeded)) {
            try slots.edit(Slots.first) { editor throws(ContainerError) in
                guard let secret = try? Passphrase(preparing: text.span) else { return }
                _ = try editor.add(secret, iterations: 9_900_001)
            }
        }
    }

    // SECURITY.md: "of the other commands only `session list` reads it"
    @Test("An unfinished container is refused")
    func unfinished() throws {
        let folder = try TemporaryFolder()
        try folder.write("container.part", Slots.blueprint().build().bytes)
        #expect(throws: ContainerError(.incomplete)) {
            try Slots(folder("container.part")).change(Slots.first, to: Slots.second)
        }
    }

    @Test("A damaged, missing or foreign header is replaced by a good one")
    func repair() throws {
        for condition in HeaderCondition.allCases {
            let folder = try TemporaryFolder()
            let slots = try condition.container(in: folder)
            try slots.change(Slots.first, to: Slots.third)
            #expect(try slots.reading(Slots.third).isFlawless(payload: payload), "\(condition)")
            #expect(try slots.reading(Slots.first).failure == .wrongPassphrase, "\(condition)")
        }
    }

    /// A container whose last change reached only the header at its end.
    private func torn(
        in folder: borrowing TemporaryFolder, _ prepare: (Slots) throws -> Void,
        _ change: (Slots) throws -> Void
    ) throws -> Slots {
        let slots = try container(in: folder)
        try prepare(slots)
        let before = try fileBytes(slots.path)[..<4096]
        try change(slots)
        let file = try FileDescriptor(opening: slots.path, .update)
        let header = Array(before)
        try file.write(header.span, at: 0)
        return slots
    }

    @Test(
        "With the old passphrase of an interrupted change nothing is lost by adding or removing another one")
    func interruptedChange() throws {
        let folder = try TemporaryFolder()
        let slots = try torn(in: folder) { slots in
            _ = try slots.add(Slots.third, with: Slots.first)
        } _: { slots in
            try slots.change(Slots.first, to: Slots.second)
        }
        #expect(throws: ContainerError(.changeInterrupted)) { try slots.remove(1, with: Slots.first) }
        #expect(throws: ContainerError(.changeInterrupted)) {
            try slots.add("yet another", with: Slots.first)
        }
        for passphrase in [Slots.first, Slots.second, Slots.third] {
            #expect(try slots.reading(passphrase).payload == payload)
        }
        // With the new one, or by repeating it, things go on.
        try slots.change(Slots.first, to: "a passphrase for good")
        #expect(try slots.reading("a passphrase for good").isFlawless(payload: payload))
        #expect(try slots.reading(Slots.third).isFlawless(payload: payload))
        #expect(try slots.reading(Slots.first).failure == .wrongPassphrase)
        #expect(try slots.reading(Slots.second).failure == .wrongPassphrase)
    }

    @Test("An interrupted removal and an interrupted addition are finished by repeating them")
    func interruptedRemovalAndAddition() throws {
        let folder = try TemporaryFolder()
        let slots = try torn(in: folder) { slots in
            _ = try slots.add(Slots.third, with: Slots.first)
        } _: { slots in
            try slots.remove(1, with: Slots.first)
        }
        try slots.remove(1, with: Slots.first)
        #expect(try slots.reading(Slots.third).failure == .wrongPassphrase)
        #expect(try slots.reading(Slots.first).isFlawless(payload: payload))
        #expect(throws: ContainerError(.noSuchSlot)) { try slots.remove(1, with: Slots.first) }

        let other = try TemporaryFolder()
        let adding = try torn(in: other) { _ in
        } _: { slots in
            _ = try slots.add(Slots.third, with: Slots.first)
        }
        #expect(try adding.add(Slots.third, with: Slots.first) == 1)
        #expect(try adding.reading(Slots.third).isFlawless(payload: payload))
        #expect(try adding.reading(Slots.first).isFlawless(payload: payload))
    }

    @Test("A drive that fails at any call leaves a container that opens")
    func failingDrive() throws {
        let calls: Set<SystemCall> = [.open, .flock, .write, .fsync, .read, .fstat]
        var target = 0
        var isDone = false
        while !isDone {
            let folder = try TemporaryFolder()
            let slots = try container(in: folder)
            let plan = FaultPlan(calls, at: target, .fail(5))
            do {
                try FaultPlan.$current.withValue(plan) { try slots.change(Slots.first, to: Slots.second) }
            } catch {}
            isDone = plan.count <= target
            let old = try slots.reading(Slots.first)
            let new = try slots.reading(Slots.second)
            #expect(old.payload == payload || new.payload == payload, "call \(target)")
            target += 1
        }
        #expect(target > 10)
    }
}
