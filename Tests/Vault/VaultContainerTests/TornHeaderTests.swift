import SystemIO
import Testing
import VaultContainer

/// What the two headers of a container can be like before its passphrase is changed.
enum HeaderCondition: CaseIterable, Sendable {
    case bothGood
    case primaryDamaged
    case spareDamaged
    case primaryZeroed
    case spareZeroed
    case spareMissing
    case primaryStale
    case spareStale
    case primaryForeign
    case spareForeign

    /// A container in that state, which opens with `Slots.first`.
    func container(in folder: borrowing TemporaryFolder) throws -> Slots {
        var specimen = try Slots.blueprint().build()
        var stale = try Slots.blueprint()
        // The same container some changes ago, when another passphrase had the slot too.
        stale.passphrase = Slots.second
        let old = try stale.build().header
        var newer = try Slots.blueprint()
        newer.generation = 2
        var foreign = try Slots.blueprint()
        foreign.seed = 99
        switch self {
        case .bothGood: break
        case .primaryDamaged: specimen.header[100] ^= 1
        case .spareDamaged: specimen.trailer[4000] ^= 1
        case .primaryZeroed: specimen.header = zeroes(4096)
        case .spareZeroed: specimen.trailer = zeroes(4096)
        case .spareMissing: specimen.trailer = []
        case .primaryStale:
            specimen.trailer = try newer.build().header
            specimen.header = old
        case .spareStale:
            specimen.header = try newer.build().header
            specimen.trailer = old
        case .primaryForeign: specimen.header = try foreign.build().header
        case .spareForeign: specimen.trailer = try foreign.build().header
        }
        try folder.write("container", specimen.bytes)
        return Slots(folder("container"))
    }
}

@Suite("A change of passphrase torn at any sector")
struct TornHeaderTests {
    private let payload: [UInt8]
    private static let sector = 512

    init() throws { payload = try Slots.blueprint().payload }

    // SECURITY.md: "The other one may be torn: its digest shows that, and nothing opens by it"
    @Test(
        "leaves a container that opens, and the change can be made again", arguments: HeaderCondition.allCases
    )
    func torn(condition: HeaderCondition) throws {
        let folder = try TemporaryFolder()
        let slots = try condition.container(in: folder)
        let before = try fileBytes(slots.path)
        let half = try afterFirstWrite(slots)
        try overwrite(slots.path, before)
        try slots.change(Slots.first, to: Slots.third)
        let after = try fileBytes(slots.path)
        let isEndFirst = half[..<4096] == before[..<4096]
        let end = after.count - 4096
        let (first, second) = isEndFirst ? (end, 0) : (0, end)
        let between = replacing(before, with: after, at: first, sectors: 0..<8)
        var states = 0
        for (base, place) in [(before, first), (between, second)] {
            for count in 0...8 {
                for sectors in [0..<count, (8 - count)..<8] {
                    let torn = replacing(base, with: after, at: place, sectors: sectors)
                    try overwrite(slots.path, torn)
                    let comment: Comment = "\(condition), at \(place), sectors \(sectors)"
                    let opening = [Slots.first, Slots.third].filter {
                        (try? slots.reading($0).payload) == payload
                    }
                    #expect(!opening.isEmpty, comment)
                    // Once more, from whatever is left; a third time cannot be needed.
                    guard let passphrase = opening.first, count == 3 else { continue }
                    try slots.change(passphrase, to: Slots.third, unless: passphrase == Slots.third)
                    #expect(try slots.reading(Slots.third).payload == payload, comment)
                    states += 1
                }
            }
        }
        #expect(states == 4)
    }

    // SECURITY.md: "what is left of an older or a torn one does not open what its owner has closed"
    @Test(
        "leaves nothing by which a replaced passphrase recovers, once a header has the new one",
        arguments: 0...8)
    func recovery(sectors: Int) throws {
        let folder = try TemporaryFolder()
        let slots = try HeaderCondition.bothGood.container(in: folder)
        let before = try fileBytes(slots.path)
        try slots.change(Slots.first, to: Slots.third)
        let after = try fileBytes(slots.path)
        // The header at the end is written first.
        let between = replacing(before, with: after, at: after.count - 4096, sectors: 0..<8)
        try overwrite(slots.path, replacing(between, with: after, at: 0, sectors: 0..<sectors))
        #expect(throws: ContainerError(.wrongPassphrase)) { _ = try slots.salvagedNames(Slots.first) }
        #expect(try slots.salvagedNames(Slots.third) == ["a"])
        // While the first one is written, the old passphrase still counts, and the new one does not yet.
        guard 1..<8 ~= sectors else { return }
        try overwrite(
            slots.path, replacing(before, with: after, at: after.count - 4096, sectors: 0..<sectors))
        #expect(throws: ContainerError(.wrongPassphrase)) { _ = try slots.salvagedNames(Slots.third) }
        #expect(try slots.salvagedNames(Slots.first) == ["a"])
    }

    // SECURITY.md: "Repeating the command finishes an interrupted change, addition or removal"
    @Test("is finished by adding or removing the same passphrase again")
    func repetition() throws {
        let folder = try TemporaryFolder()
        let slots = try HeaderCondition.bothGood.container(in: folder)
        let before = try fileBytes(slots.path)
        #expect(try slots.add(Slots.third, with: Slots.first) == 1)
        let added = try fileBytes(slots.path)
        try overwrite(slots.path, Array(before[..<512] + added[512...]))
        #expect(try slots.reading(Slots.third).warnings == [.weakKdf, .primaryHeaderDamaged])
        #expect(try slots.add(Slots.third, with: Slots.first) == 1)
        #expect(try slots.reading(Slots.third).isFlawless(payload: payload))
        let whole = try fileBytes(slots.path)
        try slots.remove(1, with: Slots.first)
        let removed = try fileBytes(slots.path)
        try overwrite(slots.path, Array(whole[..<512] + removed[512...]))
        try slots.remove(1, with: Slots.first)
        #expect(try slots.reading(Slots.first).isFlawless(payload: payload))
        #expect(throws: ContainerError(.noSuchSlot)) { try slots.remove(1, with: Slots.first) }
    }

    @Test("is undone or finished without a passphrase, unless the other header is of another container")
    func restoration() throws {
        let folder = try TemporaryFolder()
        let slots = try HeaderCondition.bothGood.container(in: folder)
        let before = try fileBytes(slots.path)
        #expect(try !SlotEditor.restoreHeader(of: slots.path))
        for place in [0, before.count - 4096] {
            var torn = before
            torn[place + 140] ^= 1
            try overwrite(slots.path, torn)
            #expect(try SlotEditor.restoreHeader(of: slots.path))
            #expect(try fileBytes(slots.path) == before)
            // What does not begin like the other header may have the last slot.
            torn[place + 40] ^= 1
            try overwrite(slots.path, torn)
            #expect(try !SlotEditor.restoreHeader(of: slots.path))
            #expect(try fileBytes(slots.path) == torn)
        }
    }

    /// The file when the first of the two headers is written and the drive then fails.
    private func afterFirstWrite(_ slots: Slots) throws -> [UInt8] {
        let plan = FaultPlan([.write], at: 1, .fail(5))
        #expect(throws: ContainerError.self) {
            try FaultPlan.$current.withValue(plan) { try slots.change(Slots.first, to: Slots.third) }
        }
        return try fileBytes(slots.path)
    }

    /// `old` with some sectors of the header at `place` as they are in `new`; a missing header grows as it is written.
    private func replacing(_ old: [UInt8], with new: [UInt8], at place: Int, sectors: Range<Int>) -> [UInt8] {
        var bytes = old
        for index in sectors {
            let start = place + index * Self.sector
            let end = start + Self.sector
            if bytes.count < end { bytes += zeroes(end - bytes.count) }
            bytes.replaceSubrange(start..<end, with: new[start..<end])
        }
        return bytes
    }

    private func overwrite(_ path: BytePath, _ bytes: [UInt8]) throws {
        let file = try FileDescriptor(opening: path, .update)
        try file.truncate(to: 0)
        try file.write(bytes.span)
    }
}

extension Slots {
    fileprivate func change(_ passphrase: String, to new: String, unless isDone: Bool) throws {
        if !isDone { try change(passphrase, to: new) }
    }

    /// The names of what a recovery with a passphrase finds.
    fileprivate func salvagedNames(_ passphrase: String) throws -> [BytePath?] {
        try ContainerSalvage(opening: path, key: .passphrase(secret(passphrase))).entries.map(\.name)
    }
}
