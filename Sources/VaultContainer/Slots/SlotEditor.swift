import SystemIO
public import VaultCrypto

/// Changes who can open a container, without touching what is in it.
///
/// Both headers are rewritten, the one that the passphrase did not open first, each brought onto the device before the
/// next: at any instant at least one of them is whole, and whichever is found opens with the old passphrase or with
/// the new one.
public struct SlotEditor: ~Copyable, Sendable {
    /// A key slot in use.
    public struct Slot: Sendable, Equatable {
        /// Its number, from 0.
        public let number: Int
        /// Its iterations of PBKDF2.
        public let iterations: Int
        /// The passphrase that the container was opened with opens it.
        public let isOwn: Bool
    }

    private let reader: ContainerReader
    private var header: Header
    private var ownSlots: Set<Int>
    private var places: [Int]
    /// Iterations that new slots may have; tests that change slots often take fewer than is safe.
    package var acceptedIterations = ContainerFormat.writableIterations

    /// Opens a container for changes; nobody else may read or write it meanwhile.
    ///
    /// All slots are tried, because a passphrase that is to be replaced may open several.
    ///
    /// - Throws: `ContainerError`; `incomplete` for a container that was not finished.
    public init(opening path: String, passphrase: borrowing Passphrase) throws(ContainerError) {
        try self.init(opening: path, passphrase: passphrase, derivations: KeyDerivations())
    }

    /// The same with the keys that were derived from this passphrase before.
    package init(
        opening path: String, passphrase: borrowing Passphrase, derivations: KeyDerivations
    ) throws(ContainerError) {
        guard !path.endsWithBytes(of: ContainerWriter.temporarySuffix) else {
            throw ContainerError(.incomplete)
        }
        let reader = try ContainerReader(
            opening: path, passphrase: passphrase, derivations: derivations, forUpdate: true)
        let copies = try reader.copies.authentic(under: reader.segments.key)
        guard let newest = copies.max(by: { $0.generation < $1.generation }) else {
            throw ContainerError(.headerTampered)
        }
        var ownSlots: Set<Int> = []
        for copy in copies {
            for (number, slot) in copy.slots.enumerated() {
                guard let slot else { continue }
                let derived = try derivations.key(for: slot, passphrase)
                if try slot.open(with: derived, preamble: copy.preamble) != nil { ownSlots.insert(number) }
            }
        }
        header = newest
        self.ownSlots = ownSlots
        places = Self.places(reader)
        self.reader = reader
    }

    /// Where the headers are to be written, in that order: the copy that the passphrase did not open comes first, or
    /// else the older one, or else the one at the end.
    private static func places(_ reader: borrowing ContainerReader) -> [Int] {
        let atStart = [0, reader.segments.end]
        let atEnd = [reader.segments.end, 0]
        let opened = reader.unlockedHeaders
        guard let primary = opened.first(where: { $0 == (try? reader.copies.primary.get()) }) else {
            return atStart
        }
        guard let spare = opened.first(where: { $0 == (try? reader.copies.spare?.get()) }) else {
            return atEnd
        }
        return primary.generation < spare.generation ? atStart : atEnd
    }

    /// The key slots in use.
    public var slots: [Slot] {
        header.slots.enumerated().compactMap { number, slot in
            slot.map { Slot(number: number, iterations: $0.iterations, isOwn: ownSlots.contains(number)) }
        }
    }

    /// Puts a new passphrase in the place of the one that the container was opened with.
    ///
    /// - Parameters:
    ///   - passphrase: The new one.
    ///   - iterations: Of PBKDF2; never taken over from the old slot.
    /// - Throws: `passphraseInUse` when another slot has the new passphrase, `kdfRefused` for iterations out of range.
    public mutating func change(
        to passphrase: borrowing Passphrase, iterations: Int = ContainerFormat.defaultIterations
    ) throws(ContainerError) {
        var slots = header.slots
        for number in ownSlots { slots[number] = nil }
        guard let number = ownSlots.min() else { throw ContainerError(.noSuchSlot) }
        try insert(passphrase, iterations, at: number, into: &slots)
        try write(slots)
        ownSlots = [number]
    }

    /// Gives the container one more passphrase.
    ///
    /// - Returns: The number of its slot.
    /// - Throws: `noFreeSlot`, `passphraseInUse`, or `kdfRefused` for iterations out of range.
    public mutating func add(
        _ passphrase: borrowing Passphrase, iterations: Int = ContainerFormat.defaultIterations
    ) throws(ContainerError) -> Int {
        var slots = header.slots
        guard let number = slots.firstIndex(where: { $0 == nil }) else { throw ContainerError(.noFreeSlot) }
        try insert(passphrase, iterations, at: number, into: &slots)
        try write(slots)
        return number
    }

    /// Removes a slot: its passphrase does not open this file any more.
    ///
    /// - Throws: `noSuchSlot`, or `lastSlot` when it is the only one.
    public mutating func remove(slot number: Int) throws(ContainerError) {
        var slots = header.slots
        guard slots.indices.contains(number), slots[number] != nil else { throw ContainerError(.noSuchSlot) }
        slots[number] = nil
        guard slots.contains(where: { $0 != nil }) else { throw ContainerError(.lastSlot) }
        try write(slots)
        ownSlots.remove(number)
    }

    private func insert(
        _ passphrase: borrowing Passphrase, _ iterations: Int, at number: Int, into slots: inout [KeySlot?]
    ) throws(ContainerError) {
        guard acceptedIterations.contains(iterations) else {
            throw ContainerError(.kdfRefused)
        }
        let others = slots.compactMap { $0 }
        // A reader may have to try them all.
        guard others.reduce(iterations, { $0 + $1.iterations }) <= ContainerFormat.writableBudget else {
            throw ContainerError(.noFreeSlot)
        }
        let derivations = KeyDerivations()
        for slot in others {
            let derived = try derivations.key(for: slot, passphrase)
            guard try slot.open(with: derived, preamble: header.preamble) == nil else {
                throw ContainerError(.passphraseInUse)
            }
        }
        slots[number] = try reader.segments.key.slot(passphrase: passphrase, iterations: iterations)
    }

    private mutating func write(_ slots: [KeySlot?]) throws(ContainerError) {
        guard header.generation < .max else { throw ContainerError(.invalidUse) }
        let new = try reader.segments.key.header(generation: header.generation + 1, slots: slots)
        let bytes = new.bytes
        for place in places {
            let copy = try reading { () throws(SystemError) in
                try reader.file.write(bytes.span, at: place)
                try reader.file.sync()
                reader.file.dropCache()
                return try reader.file.bytes(at: place, count: bytes.count)
            }
            guard copy == bytes else { throw ContainerError(.headerTampered) }
        }
        header = new
        // Both copies are the same now.
        places = [reader.segments.end, 0]
    }
}
