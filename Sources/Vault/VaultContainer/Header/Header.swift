import VaultCrypto

/// The 4 KiB at the start of a container, repeated at its end.
package struct Header: Sendable, Equatable {
    /// The 64 bytes that never change during the life of the file.
    let preamble: [UInt8]
    /// 1 in a new file, incremented with every rewrite.
    let generation: UInt64
    /// The key slots by number, nil for those not in use.
    let slots: [KeySlot?]
    /// The labels of the slots, encrypted.
    let sealedLabels: [UInt8]
    private let digest: [UInt8]
    private let code: [UInt8]

    /// The zeroes between labels and digest.
    static let filling = ContainerFormat.labels.upperBound..<ContainerFormat.authenticatedHeader.upperBound

    var segmentChunks: Int { Int(preamble.integer(at: 12, bytes: 4)) }

    /// Returns the preamble of a new container.
    static func newPreamble(segmentChunks: Int) throws(CryptoError) -> [UInt8] {
        var preamble = ContainerFormat.magic + [ContainerFormat.version, ContainerFormat.suite, 0, 0]
        preamble.appendInteger(UInt64(segmentChunks), bytes: 4)
        preamble += [UInt8](repeating: 0, count: 16)
        return preamble + (try Random.bytes(32))
    }

    /// Reads a header and checks its structure; whether it is authentic can be checked only with a key.
    package init(_ bytes: [UInt8]) throws(ContainerError) {
        guard bytes.starts(with: ContainerFormat.magic) else { throw ContainerError(.notContainer) }
        // A writer that is interrupted in its first second leaves only the preamble.
        guard bytes.count == ContainerFormat.headerSize, !bytes[64...].allSatisfy({ $0 == 0 }) else {
            throw ContainerError(.incomplete)
        }
        guard bytes[8] == ContainerFormat.version else { throw ContainerError(.unsupportedVersion) }
        guard bytes[9] == ContainerFormat.suite else { throw ContainerError(.unsupportedSuite) }
        digest = [UInt8](bytes[ContainerFormat.headerDigest])
        code = [UInt8](bytes[ContainerFormat.headerDigest.upperBound...])
        // Anybody can make a digest that fits: it shows accidents, and the code shows forgeries.
        guard try crypto({ () throws(CryptoError) in try Self.digest(of: bytes) }) == digest else {
            throw ContainerError(.headerDamaged)
        }
        let reserved = [10..<12, 16..<32, 72..<128, Self.filling]
        let chunks = Int(bytes.integer(at: 12, bytes: 4))
        guard reserved.allSatisfy({ bytes[$0].allSatisfy { $0 == 0 } }),
            ContainerFormat.segmentChunks.contains(chunks)
        else { throw ContainerError(.malformedHeader) }
        preamble = [UInt8](bytes[..<64])
        generation = bytes.integer(at: 64)
        sealedLabels = [UInt8](bytes[ContainerFormat.labels])
        var slots: [KeySlot?] = []
        var refusal: ContainerError?
        for number in 0..<ContainerFormat.slotCount {
            let start = ContainerFormat.slots.lowerBound + number * ContainerFormat.slotSize
            do { slots.append(try KeySlot([UInt8](bytes[start..<(start + ContainerFormat.slotSize)]))) } catch
            {
                // Errors in the structure of the whole header take precedence over refused iterations.
                guard error.code == .kdfRefused else { throw error }
                refusal = error
            }
        }
        if let refusal { throw refusal }
        guard slots.contains(where: { $0 != nil }) else { throw ContainerError(.malformedHeader) }
        self.slots = slots
    }

    /// Creates a header with its authentication code.
    init(
        preamble: [UInt8], generation: UInt64, slots: [KeySlot?], sealedLabels: [UInt8], key: ContainerKey
    ) throws(CryptoError) {
        self.preamble = preamble
        self.generation = generation
        self.slots = slots
        self.sealedLabels = sealedLabels
        let content = Self.content(preamble, generation, slots, sealedLabels)
        code = try HMACSHA512.code(of: content.span, key: key.headerKey)
        let others = content + code
        digest = try SHA256.digest(of: others.span)
    }

    /// Returns the digest of a header's bytes without the digest's own.
    private static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        let place = ContainerFormat.headerDigest
        let others = [UInt8](bytes[..<place.lowerBound] + bytes[place.upperBound...])
        return try SHA256.digest(of: others.span)
    }

    /// Returns a header with the digest that it should have, for tests; nil for what has another length.
    package static func resealed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == ContainerFormat.headerSize, let digest = try? digest(of: bytes) else {
            return nil
        }
        var bytes = bytes
        bytes.replaceSubrange(ContainerFormat.headerDigest, with: digest)
        return bytes
    }

    /// Whether the header was made by someone who has the file's key.
    func isAuthentic(under key: ContainerKey) throws(ContainerError) -> Bool {
        let content = Self.content(preamble, generation, slots, sealedLabels)
        let expected = try crypto { () throws(CryptoError) in
            try HMACSHA512.code(of: content.span, key: key.headerKey)
        }
        return constantTimeEqual(expected.span, code.span)
    }

    /// Returns the numbers of all slots that a passphrase opens.
    func slots(
        openedBy passphrase: borrowing Passphrase, _ derivations: KeyDerivations
    ) throws(ContainerError) -> Set<Int> {
        var numbers: Set<Int> = []
        for (number, slot) in slots.enumerated() {
            guard let slot else { continue }
            let derived = try derivations.key(for: slot, passphrase)
            if try slot.open(with: derived, preamble: preamble) != nil { numbers.insert(number) }
        }
        return numbers
    }

    package var bytes: [UInt8] { Self.content(preamble, generation, slots, sealedLabels) + digest + code }

    private static func content(
        _ preamble: [UInt8], _ generation: UInt64, _ slots: [KeySlot?], _ sealedLabels: [UInt8]
    ) -> [UInt8] {
        var content = preamble
        content.appendInteger(generation)
        content += [UInt8](repeating: 0, count: 56)
        for slot in slots { content += slot?.bytes ?? [UInt8](repeating: 0, count: ContainerFormat.slotSize) }
        return content + sealedLabels + [UInt8](repeating: 0, count: Self.filling.count)
    }
}
