import SystemIO
import VaultCrypto

/// Looks for a key slot in whatever is left of the two headers.
///
/// A slot authenticates itself together with the preamble. Everything around it may be damaged, and the two may come
/// from different copies. But where a header is intact, what is left of an older one or of one that was torn does not
/// open what the owner has closed.
struct HeaderSalvage {
    private var preambles: [[UInt8]] = []
    private var slots: [KeySlot] = []
    /// The headers that are intact, genuine or not.
    private var intact: [Header] = []

    /// Collects possible preambles and slots.
    ///
    /// - Throws: `notContainer` if there is no preamble.
    init(_ file: VolumeFile, size: Int) throws(ContainerError) {
        let block = ContainerFormat.headerSize
        // A truncated file may still have the beginning of its last header.
        let last = size / block * block
        for offset in Set([0, last, last - block, last - 2 * block]).sorted()
        where offset >= 0 && offset < size {
            // A sector that the drive cannot read may affect only one of the copies.
            guard let bytes = try? file.bytes(at: offset, count: block) else { continue }
            if Self.mayBeHeader(bytes) { gather(bytes + [UInt8](repeating: 0, count: block - bytes.count)) }
        }
        guard !preambles.isEmpty else { throw ContainerError(.notContainer) }
    }

    /// Checks that there is a slot.
    ///
    /// - Throws: `notContainer` if there is none.
    func checkSlots() throws(ContainerError) {
        guard !slots.isEmpty else { throw ContainerError(.notContainer) }
    }

    /// Whether the block contains part of a header: its first bytes, or the zeroes that fill almost half of it.
    ///
    /// Other blocks would yield slots by chance, and each costs seconds to try.
    private static func mayBeHeader(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: ContainerFormat.magic) { return true }
        let filling = bytes.dropFirst(Header.filling.lowerBound).prefix(Header.filling.count)
        return filling.count >= 64 && filling.count { $0 == 0 } * 2 > filling.count
    }

    /// Whether the first segment was sealed with the key.
    private static func opensStart(_ key: ContainerKey, _ file: VolumeFile) -> Bool {
        let reader = SegmentReader(key: key, end: key.geometry.offset(ofSegment: 1), salts: [])
        return [false, true].contains { isFinal in
            let context = SegmentContext(
                preamble: key.preamble, index: 0, isFinal: isFinal, previousSalt: SegmentContext.noSalt)
            return (try? reader.commitmentMatches(segment: 0, context, file)) == true
        }
    }

    private mutating func gather(_ bytes: [UInt8]) {
        let preamble = [UInt8](bytes[..<ContainerFormat.preambleSize])
        let isPreamble =
            preamble.starts(with: ContainerFormat.magic)
            && preamble[8] == ContainerFormat.version && preamble[9] == ContainerFormat.suite
            && ContainerFormat.segmentChunks.contains(Int(preamble.integer(at: 12, bytes: 4)))
        if isPreamble, !preambles.contains(preamble) { preambles.append(preamble) }
        for number in 0..<ContainerFormat.slotCount {
            let start = ContainerFormat.slots.lowerBound + number * ContainerFormat.slotSize
            let slot = try? KeySlot([UInt8](bytes[start..<(start + ContainerFormat.slotSize)]))
            if let slot, !slots.contains(slot) { slots.append(slot) }
        }
        if let header = try? Header(bytes) { intact.append(header) }
    }

    /// Whether no header is authentic under a key, or the newest that is has a slot.
    private func isCurrent(_ slot: KeySlot, _ key: ContainerKey) throws(ContainerError) -> Bool {
        var newest: Header?
        for header in intact
        where header.preamble == key.preamble && header.generation >= newest?.generation ?? 0 {
            if try header.isAuthentic(under: key) { newest = header }
        }
        return newest?.slots.contains(slot) ?? true
    }

    /// Returns the keys that may open what is left of the container.
    ///
    /// - Throws: What the passphrase or the ring throws.
    func keys(_ key: ArchiveKey, _ file: VolumeFile) throws(ContainerError) -> [ContainerKey] {
        switch key {
        case .passphrase(let held): try keys(held.passphrase, held.passphrase.derivations, file)
        case .keyRing(let ring): try keys(in: ring, file)
        }
    }

    /// Returns the keys that the passphrase opens; more than one if headers of other containers are in the file.
    ///
    /// - Throws: `wrongPassphrase`, `slotDamaged`, or `kdfRefused` if trying all slots would take too long.
    func keys(
        _ passphrase: borrowing Passphrase, _ derivations: KeyDerivations, _ file: VolumeFile
    ) throws(ContainerError) -> [ContainerKey] {
        try checkSlots()
        var seen: Set<[UInt8]> = []
        var iterations = 0
        var found = FoundKeys(failure: ContainerError(.wrongPassphrase))
        for slot in slots {
            if seen.insert(slot.derivationInput).inserted { iterations += slot.iterations }
            // Damaged or planted slots must not prevent an intact slot before them from being used.
            guard iterations <= ContainerFormat.iterationBudget else {
                found.failure = ContainerError(.kdfRefused)
                break
            }
            let derived = try derivations.key(for: slot, passphrase)
            for preamble in preambles {
                let opensStart = try found.add(to: file) {
                    guard let fileKey = try slot.open(with: derived, preamble: preamble) else { return nil }
                    let key = try ContainerKey(fileKey: fileKey, preamble: preamble)
                    return try isCurrent(slot, key) ? key : nil
                }
                if opensStart { return found.keys }
            }
        }
        return try found.result()
    }

    /// Returns the keys that a key ring has; no slot is needed.
    ///
    /// - Throws: `notInKeyRing`, `keyRingDamaged`.
    private func keys(in ring: KeyRing, _ file: VolumeFile) throws(ContainerError) -> [ContainerKey] {
        var found = FoundKeys(failure: ContainerError(.notInKeyRing))
        for preamble in preambles {
            let opensStart = try found.add(to: file) {
                try ContainerKey(
                    fileKey: ring.fileKey(of: [UInt8](preamble[32..<64])), preamble: preamble)
            }
            if opensStart { return found.keys }
        }
        return try found.result()
    }

    /// The keys that were found, and why there are no others.
    private struct FoundKeys {
        private(set) var keys: [ContainerKey] = []
        var failure: ContainerError

        init(failure: ContainerError) { self.failure = failure }

        /// Adds a key, or keeps why there is none.
        ///
        /// - Returns: Whether the key opens the file's first segment, so that it is the only one, and no other need be tried.
        mutating func add(to file: VolumeFile, _ key: () throws -> ContainerKey?) throws(ContainerError)
            -> Bool
        {
            do {
                guard let key = try key() else { return false }
                let opensStart = HeaderSalvage.opensStart(key, file)
                keys = opensStart ? [key] : keys + [key]
                return opensStart
            } catch let error as ContainerError { failure = error } catch {
                throw ContainerError(.cryptoFailed)
            }
            return false
        }

        /// Returns the keys; throws why there is none.
        func result() throws(ContainerError) -> [ContainerKey] {
            guard !keys.isEmpty else { throw failure }
            return keys
        }
    }
}
