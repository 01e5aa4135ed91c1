public import SystemIO
public import VaultCrypto

/// Changes which passphrases open a container, without touching its content.
///
/// Rewrites both headers, starting with the one that the passphrase did not open, and flushes each to the device
/// before the next. At any moment at least one of them is intact, and each intact one opens with the old or the new
/// passphrase.
public struct SlotEditor: ~Copyable, Sendable {
    private let reader: ContainerReader
    private var header: Header
    /// The labels of the slots in use, by their numbers.
    public private(set) var labels: [Int: SlotLabel]
    private var ownSlots: Set<Int>
    /// Slots that the passphrase opens in the older header, if a change was interrupted between the two.
    private var olderSlots: Set<Int>
    /// Slots that differ between the two headers.
    private var staleSlots: Set<Int> = []
    /// Whether one of the headers is lost, as it is if a change was interrupted while it was written.
    private var isCopyLost: Bool
    private var places: [Int]
    /// Iterations that new slots may have; tests that change slots often use fewer than is safe.
    package var acceptedIterations = ContainerFormat.writableIterations

    /// Opens a container for changes; nothing else may read or write it meanwhile.
    ///
    /// All slots are tried, because the passphrase to replace may open several.
    ///
    /// - Throws: `ContainerError`; `incomplete` for a container that was not finished.
    public init(opening path: BytePath, passphrase: borrowing Passphrase) throws(ContainerError) {
        try self.init(opening: path, passphrase: passphrase, derivations: passphrase.derivations)
    }

    /// Opens a container for changes, reusing keys that were derived from this passphrase before.
    package init(
        opening path: BytePath, passphrase: borrowing Passphrase, derivations: KeyDerivations
    ) throws(ContainerError) {
        guard !path.hasSuffix(ContainerFormat.temporarySuffix) else {
            throw ContainerError(.incomplete)
        }
        let reader = try ContainerReader(
            opening: path, passphrase: passphrase, derivations: derivations, forUpdate: true)
        let copies = try reader.copies.authentic(under: reader.segments.key)
        guard let newest = copies.max(by: { $0.generation < $1.generation }) else {
            throw ContainerError(.headerTampered)
        }
        let ownSlots = try newest.slots(openedBy: passphrase, derivations)
        var olderSlots: Set<Int> = []
        var staleSlots: Set<Int> = []
        for older in copies where older != newest {
            staleSlots.formUnion(older.slots.indices.filter { older.slots[$0] != newest.slots[$0] })
            olderSlots.formUnion(try older.slots(openedBy: passphrase, derivations))
        }
        let labels = try reader.segments.key.labels(in: newest)
        header = newest
        self.labels = labels
        self.ownSlots = ownSlots
        self.olderSlots = olderSlots
        self.staleSlots = staleSlots
        isCopyLost = copies.count < 2
        places = Self.places(reader)
        self.reader = reader
    }

    /// Returns where to write the headers, in this order: the copy that the passphrase did not open comes
    /// first, or else the older one, or else the one at the end.
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

    /// The number of the slot that the passphrase opens, in the older header if it opens only that.
    public var ownSlot: Int? { ownSlots.min() ?? olderSlots.min() }

    /// Replaces the passphrase that the container was opened with.
    ///
    /// - Parameters:
    ///   - passphrase: The new one.
    ///   - iterations: Iterations of PBKDF2; never copied from the old slot.
    ///   - label: A new label; nil keeps the one of the old passphrase.
    /// - Throws: `passphraseInUse` if another slot has the new passphrase, `kdfRefused` for iterations out of
    ///   range, `iterationsExceeded` for too many together with the other slots.
    public mutating func change(
        to passphrase: borrowing Passphrase, iterations: Int = ContainerFormat.defaultIterations,
        label: SlotLabel? = nil
    ) throws(ContainerError) {
        var slots = header.slots
        var labels = labels
        // After an interrupted change the slot has the new passphrase in one header and still the current one in
        // the other.
        let replaced = ownSlots.union(olderSlots)
        let kept = replaced.sorted().lazy.compactMap { labels[$0] }.first
        for number in replaced {
            slots[number] = nil
            labels[number] = nil
        }
        guard let number = replaced.min() else { throw ContainerError(.noSuchSlot) }
        try insert(passphrase, iterations, at: number, into: &slots)
        labels[number] = label ?? kept
        try write(slots, labels)
        ownSlots = [number]
    }

    /// Adds a passphrase to the container, with a label if one is given.
    ///
    /// - Returns: The number of its slot.
    /// - Throws: `noFreeSlot`, `passphraseInUse`, `changeInterrupted` if only the older header has the passphrase
    ///   that the container was opened with, `kdfRefused` for iterations out of range, or `iterationsExceeded`.
    public mutating func add(
        _ passphrase: borrowing Passphrase, iterations: Int = ContainerFormat.defaultIterations,
        label: SlotLabel? = nil
    ) throws(ContainerError) -> Int {
        var slots = header.slots
        var labels = labels
        guard !ownSlots.isEmpty else { throw ContainerError(.changeInterrupted) }
        if let number = try slot(openedBy: passphrase),
            staleSlots.contains(number) || isCopyLost && !ownSlots.contains(number)
        {
            // Completes the change that was interrupted.
            if let label { labels[number] = label }
            try write(slots, labels)
            return number
        }
        guard let number = slots.firstIndex(where: { $0 == nil }) else { throw ContainerError(.noFreeSlot) }
        try insert(passphrase, iterations, at: number, into: &slots)
        labels[number] = label
        try write(slots, labels)
        return number
    }

    /// Gives a slot a label, or takes its label away.
    ///
    /// - Throws: `noSuchSlot`, or `changeInterrupted` if only the older header has the passphrase that the container
    ///   was opened with.
    public mutating func label(slot number: Int, _ label: SlotLabel?) throws(ContainerError) {
        guard !ownSlots.isEmpty else { throw ContainerError(.changeInterrupted) }
        guard header.slots.indices.contains(number), header.slots[number] != nil else {
            throw ContainerError(.noSuchSlot)
        }
        var labels = labels
        labels[number] = label
        try write(header.slots, labels)
    }

    /// Returns the slot of the newest header that a passphrase opens; nil if it opens none, or no change can have been
    /// interrupted.
    private func slot(openedBy passphrase: borrowing Passphrase) throws(ContainerError) -> Int? {
        guard !staleSlots.isEmpty || isCopyLost else { return nil }
        return try header.slots(openedBy: passphrase, passphrase.derivations).min()
    }

    /// Removes a slot, so that its passphrase no longer opens this file.
    ///
    /// - Throws: `noSuchSlot`, `lastSlot` if it is the only one, or `changeInterrupted` if only the older header
    ///   has the passphrase that the container was opened with.
    public mutating func remove(slot number: Int) throws(ContainerError) {
        var slots = header.slots
        guard slots.indices.contains(number),
            slots[number] != nil || staleSlots.contains(number) || isCopyLost
        else { throw ContainerError(.noSuchSlot) }
        // An interrupted change must not lose the passphrase that authorises this, unless that is the one to remove.
        guard !ownSlots.isEmpty || slots[number] == nil else { throw ContainerError(.changeInterrupted) }
        slots[number] = nil
        guard slots.contains(where: { $0 != nil }) else { throw ContainerError(.lastSlot) }
        var labels = labels
        labels[number] = nil
        try write(slots, labels)
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
            throw ContainerError(.iterationsExceeded)
        }
        let derivations = passphrase.derivations
        for slot in others {
            let derived = try derivations.key(for: slot, passphrase)
            guard try slot.open(with: derived, preamble: header.preamble) == nil else {
                throw ContainerError(.passphraseInUse)
            }
        }
        slots[number] = try reader.segments.key.slot(passphrase: passphrase, iterations: iterations)
    }

    private mutating func write(_ slots: [KeySlot?], _ labels: [Int: SlotLabel]) throws(ContainerError) {
        guard header.generation < .max else { throw ContainerError(.invalidUse) }
        let new = try reader.segments.key.header(
            generation: header.generation + 1, slots: slots, labels: labels)
        let bytes = new.bytes
        for place in places { try Self.write(bytes, at: place, reader.file) }
        header = new
        self.labels = labels
        staleSlots = []
        isCopyLost = false
        olderSlots = []
        // Both copies are the same now.
        places = [reader.segments.end, 0]
    }

    /// Writes a header, and reads it back from the drive.
    private static func write(_ bytes: [UInt8], at place: Int, _ file: VolumeFile) throws(ContainerError) {
        let copy = try reading { () throws(SystemError) in
            try file.write(bytes.span, at: place)
            try file.sync()
            file.dropCache()
            return try file.bytes(at: place, count: bytes.count)
        }
        guard copy == bytes else { throw ContainerError(.headerTampered) }
    }

    /// Rewrites a header that was torn when a change was interrupted from the other one, which needs no passphrase.
    ///
    /// The torn one must begin like the other: one of another container may have the last slot that opens this one.
    ///
    /// - Returns: Whether there was such a header.
    /// - Throws: `ContainerError`; `incomplete` for a container that was not finished.
    public static func restoreHeader(of path: BytePath) throws(ContainerError) -> Bool {
        guard !path.hasSuffix(ContainerFormat.temporarySuffix) else { throw ContainerError(.incomplete) }
        let file = try lockedFile(path, forUpdate: true)
        let size = try reading { () throws(SystemError) in try file.size() }
        let copies = try HeaderCopies(file, size: size)
        guard copies.usable.count == 1, let intact = copies.usable.first else { return false }
        let place = (try? copies.primary.get()) == nil ? 0 : size - ContainerFormat.headerSize
        let start = try reading { () throws(SystemError) in
            try file.bytes(at: place, count: ContainerFormat.preambleSize)
        }
        guard start == intact.preamble, size >= 2 * ContainerFormat.headerSize else { return false }
        try write(intact.bytes, at: place, file)
        return true
    }
}
