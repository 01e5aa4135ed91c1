import SystemIO
import Testing
import VaultContainer
import VaultCrypto

/// A change of a header, and what it must give when both copies have it.
struct HeaderDamage: Sendable, CustomTestStringConvertible {
    let row: String
    let name: String
    let code: ContainerError.Code
    let change: @Sendable (inout [UInt8]) -> Void

    init(
        _ row: String, _ name: String, _ code: ContainerError.Code,
        _ change: @escaping @Sendable (inout [UInt8]) -> Void
    ) {
        self.row = row
        self.name = name
        self.code = code
        self.change = change
    }

    /// Overwrites bytes.
    static func put(
        _ row: String, _ name: String, at offset: Int, _ bytes: [UInt8], _ code: ContainerError.Code
    ) -> HeaderDamage {
        HeaderDamage(row, "\(name) \(bytes.prefix(4)) at \(offset)", code) { header in
            header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        }
    }

    /// Flips a bit of one byte after the other.
    static func flips(
        _ row: String, at offsets: [Int], bit: Int, _ code: ContainerError.Code
    ) -> [HeaderDamage] {
        offsets.map { offset in
            HeaderDamage(row, "bit \(bit) of byte \(offset) flipped", code) { $0[offset] ^= 1 << bit }
        }
    }

    var testDescription: String { "row \(row): \(name)" }
}

@Suite("Damage to headers")
struct HeaderDamageTests {
    private static let blueprint = Result { try Blueprint(members: [("a", noise(20_000))]) }
    private static let sample = Result { try blueprint.get().build() }

    private static let magic: [HeaderDamage] =
        [
            HeaderDamage("2", "random", .notContainer) { $0 = noise(4096, seed: 7) },
            HeaderDamage("2", "zero", .notContainer) { $0 = zeroes(4096) },
            // What a transfer in text mode does: CRLF becomes LF, or LF becomes CRLF, and all behind it moves.
            HeaderDamage("2", "CRLF made LF", .notContainer) { header in
                header.remove(at: 5)
                header.append(0)
            },
            HeaderDamage("2", "LF made CRLF", .notContainer) { header in
                header.insert(0x0d, at: 6)
                header.removeLast()
            },
            HeaderDamage("2", "eighth bits lost", .notContainer) { $0[0] &= 0x7f },
        ] + HeaderDamage.flips("2", at: [0, 1, 2, 3, 4, 5, 6, 7], bit: 6, .notContainer)

    private static let versions: [HeaderDamage] = ([0, 2, 255] as [UInt8]).flatMap { number in
        [
            HeaderDamage.put("3", "version", at: 8, [number], .unsupportedVersion),
            HeaderDamage.put("4", "suite", at: 9, [number], .unsupportedSuite),
        ]
    }

    private static let reserved: [HeaderDamage] = HeaderDamage.flips(
        "5", at: [10, 11, 16, 31, 72, 127, 2204, 3000, 3999], bit: 3, .malformedHeader)

    private static let emptySlot: [HeaderDamage] = HeaderDamage.flips(
        "5", at: [260, 291, 292, 324, 336, 383, 1151], bit: 0, .malformedHeader)

    private static let counts: [HeaderDamage] = [
        HeaderDamage.put("5", "seg_chunks", at: 12, bigEndian(0, 4), .malformedHeader),
        HeaderDamage.put("5", "seg_chunks", at: 12, bigEndian(65537, 4), .malformedHeader),
        HeaderDamage.put("5", "seg_chunks", at: 12, bigEndian(0xffff_ffff, 4), .malformedHeader),
        HeaderDamage.put("5", "no iterations", at: 128, zeroes(4), .malformedHeader),
        HeaderDamage.put("5", "no slot", at: 128, zeroes(128), .malformedHeader),
    ]

    private static let iterations: [HeaderDamage] = [1, 99_999, 10_000_001, 0xffff_ffff].map {
        HeaderDamage.put($0 < 100_000 ? "6" : "7", "iterations", at: 128, bigEndian($0, 4), .kdfRefused)
    }

    /// Refused before any key is derived.
    static let structural = [magic, versions, reserved, emptySlot, counts, iterations].flatMap(\.self)

    private static let otherIterations: [HeaderDamage] = [100_001, 200_000].map {
        HeaderDamage.put("9", "iterations", at: 128, bigEndian($0, 4), .wrongPassphrase)
    }

    private static let derivation: [HeaderDamage] = HeaderDamage.flips(
        "9", at: [132, 163, 164, 195], bit: 7, .wrongPassphrase)

    private static let chunks: [HeaderDamage] = [2, 65536].map {
        HeaderDamage.put("10", "seg_chunks", at: 12, bigEndian($0, 4), .slotDamaged)
    }

    /// Vault identifier, nonce, sealed key, its tag.
    private static let sealed: [HeaderDamage] = HeaderDamage.flips(
        "10", at: [32, 63, 196, 207, 208, 239, 240, 255], bit: 5, .slotDamaged)

    /// Generation, labels and code.
    private static let code: [HeaderDamage] = HeaderDamage.flips(
        "11", at: [64, 71, 1152, 1163, 1164, 2187, 2188, 2203, 4032, 4063, 4095], bit: 1, .headerTampered)

    private static let slots: [HeaderDamage] = [
        HeaderDamage("11", "the slot copied into an empty one", .headerTampered) { header in
            header.replaceSubrange(256..<384, with: header[128..<256])
        },
        HeaderDamage("11", "the slot moved into an empty one", .headerTampered) { header in
            header.replaceSubrange(1024..<1152, with: header[128..<256])
            header.replaceSubrange(128..<256, with: zeroes(128))
        },
    ]

    /// Noticed with the passphrase.
    static let cryptographic = [otherIterations, derivation, chunks, sealed, code, slots].flatMap(\.self)

    // SECURITY.md: "fewer than 100,000 iterations are refused"
    @Test("in its structure are refused before any key is derived", arguments: structural)
    func structure(damage: HeaderDamage) throws {
        var specimen = try Self.sample.get()
        try specimen.changeHeaders(damage.change)
        let derivations = KeyDerivations()
        #expect(try Reading(specimen.bytes, derivations: derivations).failure == damage.code)
        #expect(derivations.count == 0)
    }

    // SECURITY.md: "lower the iterations, swap key slots or add one without the file key"
    @Test("in its content are noticed with the passphrase", arguments: cryptographic)
    func content(damage: HeaderDamage) throws {
        var specimen = try Self.sample.get()
        try specimen.changeHeaders(damage.change)
        let reading = try Reading(specimen.bytes)
        #expect(reading.failure == damage.code)
        #expect(reading.payload.isEmpty)
    }

    @Test(
        "in one copy costs a warning on reading and fails the verification",
        arguments: structural + cryptographic)
    func oneCopy(damage: HeaderDamage) throws {
        let payload = try Self.blueprint.get().payload
        for isPrimary in [true, false] {
            var specimen = try Self.sample.get()
            var header = specimen.header
            damage.change(&header)
            header = try resealed(header)
            if isPrimary { specimen.header = header } else { specimen.trailer = header }
            let reading = try Reading(specimen.bytes)
            #expect(reading.gives(payload))
            #expect(reading.warnings == [.weakKdf, isPrimary ? .primaryHeaderDamaged : .spareHeaderDamaged])
            #expect(reading.problems == [.headersDiffer])
        }
    }

    @Test(
        "that their digests do not know of is called damage and not forgery, before any key is derived",
        arguments: [10, 12, 64, 128, 132, 208, 260, 1152, 2204, 3999, 4000, 4031, 4032, 4095])
    func rot(offset: Int) throws {
        var specimen = try Self.sample.get()
        specimen.header[offset] ^= 1
        let reading = try Reading(specimen.bytes)
        #expect(try reading.gives(Self.blueprint.get().payload))
        #expect(reading.warnings == [.weakKdf, .primaryHeaderDamaged])
        specimen.trailer[offset] ^= 1
        let derivations = KeyDerivations()
        #expect(try Reading(specimen.bytes, derivations: derivations).failure == .headerDamaged)
        #expect(derivations.count == 0)
    }

    @Test("in both copies gives the error of the first, unlike as they may be")
    func differentDamage() throws {
        var specimen = try Self.sample.get()
        specimen.header[8] = 2
        specimen.trailer[9] = 2
        #expect(try Reading(specimen.bytes).failure == .unsupportedVersion)
    }

    // SECURITY.md: "key derivation has its own limits (section 13)"
    // SECURITY.md: "make opening slower by demanding more iterations, up to 20,000,000 in total. More is"
    @Test("with eight slots of ten million iterations are refused within ten milliseconds")
    func iterationBudget() throws {
        var specimen = try Self.sample.get()
        try specimen.changeHeaders { header in
            for slot in 0..<8 {
                header.replaceSubrange(
                    (128 + 128 * slot)..<(132 + 128 * slot), with: bigEndian(10_000_000, 4))
                header[132 + 128 * slot] = UInt8(slot)
            }
        }
        let bytes = specimen.bytes
        let derivations = KeyDerivations()
        let start = ContinuousClock.now
        #expect(try Reading(bytes, derivations: derivations).failure == .kdfRefused)
        #expect(derivations.count == 0)
        // The time of a loaded machine in debug; a single one of these derivations would take seconds.
        #expect(ContinuousClock.now - start < .milliseconds(500))
    }

    // SECURITY.md: "make opening slower by demanding more iterations, up to 20,000,000 in total. More is"
    @Test("with a slot of ten million iterations are given their time, and two headers may differ that much")
    func iterationsAtTheLimit() throws {
        var specimen = try Self.sample.get()
        specimen.trailer.replaceSubrange(128..<132, with: bigEndian(10_000_000, 4))
        specimen.trailer = try resealed(specimen.trailer)
        // The sum is within the budget, and the first header opens.
        let folder = try TemporaryFolder()
        try folder.write("a", specimen.bytes)
        #expect(try CleartextHeader(of: folder("a")).slots == [0: 100_000])
        specimen.trailer.replaceSubrange(256..<260, with: bigEndian(10_000_000, 4))
        specimen.trailer[260] = 1
        specimen.trailer = try resealed(specimen.trailer)
        try folder.write("b", specimen.bytes)
        #expect(throws: ContainerError(.kdfRefused)) { try CleartextHeader(of: folder("b")) }
    }

    // SECURITY.md: "lower the iterations, swap key slots or add one without the file key"
    @Test("by the removal of a slot is noticed by those who have another one")
    func removedSlot() throws {
        var blueprint = try Self.blueprint.get()
        blueprint.secondPassphrase = "an other passphrase"
        var specimen = try blueprint.build()
        #expect(try Reading(specimen.bytes).isFlawless(payload: blueprint.payload))
        #expect(try Reading(specimen.bytes, passphrase: "an other passphrase").payload == blueprint.payload)
        try specimen.changeHeaders { $0.replaceSubrange(256..<384, with: zeroes(128)) }
        #expect(try Reading(specimen.bytes).failure == .headerTampered)
        #expect(try Reading(specimen.bytes, passphrase: "an other passphrase").failure == .wrongPassphrase)
        // The first slot removed: the second still opens, in the same way.
        specimen = try blueprint.build()
        try specimen.changeHeaders { $0.replaceSubrange(128..<256, with: zeroes(128)) }
        #expect(try Reading(specimen.bytes, passphrase: "an other passphrase").failure == .headerTampered)
        #expect(try Reading(specimen.bytes).failure == .wrongPassphrase)
    }

    // SECURITY.md: "lower the iterations, swap key slots or add one without the file key"
    @Test("by the slot of another vault with the same passphrase is noticed")
    func foreignSlot() throws {
        var other = try Self.blueprint.get()
        other.seed = 2
        let foreign = try other.build().header[128..<256]
        var specimen = try Self.sample.get()
        try specimen.changeHeaders { $0.replaceSubrange(128..<256, with: foreign) }
        #expect(try Reading(specimen.bytes).failure == .slotDamaged)
        // In the second place it does not get a chance, but the code over the header does not match.
        specimen = try Self.sample.get()
        try specimen.changeHeaders { $0.replaceSubrange(256..<384, with: foreign) }
        #expect(try Reading(specimen.bytes).failure == .headerTampered)
    }

    @Test("as two authentic headers of one generation but different content is noticed")
    func equalGenerations() throws {
        var second = try Self.blueprint.get()
        second.secondPassphrase = "an other passphrase"
        var specimen = try Self.sample.get()
        specimen.trailer = try second.build().trailer
        #expect(try Reading(specimen.bytes).failure == .headerTampered)
        // Of different generations they are an interrupted change of passphrase.
        second.generation = 2
        specimen.trailer = try second.build().trailer
        let reading = try Reading(specimen.bytes)
        #expect(try reading.gives(Self.blueprint.get().payload))
        #expect(reading.warnings == [.weakKdf, .headerGenerationsDiffer])
        #expect(reading.problems == [.headersDiffer])
        let byOther = try Reading(specimen.bytes, passphrase: "an other passphrase")
        #expect(try byOther.gives(Self.blueprint.get().payload))
        #expect(byOther.warnings == [.weakKdf, .headerGenerationsDiffer])
    }
}

@Suite("Passphrases of containers")
struct ContainerPassphraseTests {
    private static let sample = Result {
        var blueprint = try Blueprint(members: [("a", [1, 2, 3])])
        blueprint.passphrase = "caf\u{e9} noir"
        return try blueprint.build().bytes
    }

    @Test(
        "open in every spelling of the same text",
        arguments: ["caf\u{e9} noir", "cafe\u{301} noir", "caf\u{e9}\u{a0}noir"])
    func spellings(passphrase: String) throws {
        #expect(try Reading(Self.sample.get(), passphrase: passphrase).members == ["a": [1, 2, 3]])
    }

    @Test(
        "do not open when they are wrong",
        arguments: [
            "cafe noir", "Caf\u{e9} noir", "caf\u{e9} noir ", " caf\u{e9} noir", "caf\u{e9}noir", "x",
        ])
    func wrong(passphrase: String) throws {
        #expect(try Reading(Self.sample.get(), passphrase: passphrase).failure == .wrongPassphrase)
    }

    @Test(
        "are refused before any container is opened when they are none",
        arguments: ["", "a\n", "a\0", "a\u{7f}"])
    func refused(passphrase: String) {
        #expect(throws: Passphrase.Problem.self) { try Reading(Self.sample.get(), passphrase: passphrase) }
    }

    @Test("come out of a file without its line end", arguments: ["", "\n", "\r\n"])
    func lineEnds(end: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a", try Self.sample.get())
        let line = Array(("caf\u{e9} noir" + end).utf8)
        let passphrase = try Passphrase(preparingLine: line.span)
        let reader = try ContainerReader(opening: folder("a"), passphrase: passphrase)
        let count = reader.entries.count
        #expect(count == 1)
    }
}
