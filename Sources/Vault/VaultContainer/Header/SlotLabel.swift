import VaultCrypto

/// What the owner calls a key slot: `paper in the safe`.
///
/// Labels are encrypted in the header, all eight in one message of fixed length: whether there are any, and how long they
/// are, shows only with a passphrase.
public struct SlotLabel: Sendable, Equatable {
    /// The most bytes of UTF-8 that a label may have.
    public static let longest = 128

    /// The label as it was given.
    public let text: String

    /// Creates a label; nil for an empty text, one that is too long, or one with control characters.
    public init?(_ text: String) {
        guard 1...Self.longest ~= text.utf8.count,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }

    /// Reads a label from its place; nil if there is none, or something that is no label.
    fileprivate init?(padded bytes: ArraySlice<UInt8>) {
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        guard bytes[end...].allSatisfy({ $0 == 0 }),
            let text = String(validating: bytes[..<end], as: UTF8.self)
        else { return nil }
        self.init(text)
    }

    fileprivate var padded: [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: Self.longest - text.utf8.count)
    }
}

extension ContainerKey {
    /// The length of the encrypted labels in a header: nonce, eight labels, tag.
    static let sealedLabelsLength =
        AES256GCM.nonceLength + ContainerFormat.slotCount * SlotLabel.longest + AES256GCM.tagLength

    /// Encrypts the labels of all slots for a header, with a fresh nonce.
    func seal(_ labels: [Int: SlotLabel]) throws(CryptoError) -> [UInt8] {
        let none = [UInt8](repeating: 0, count: SlotLabel.longest)
        let content = (0..<ContainerFormat.slotCount).flatMap { labels[$0]?.padded ?? none }
        let nonce = try Random.bytes(AES256GCM.nonceLength)
        var cipher = try AES256GCM(key: try labelKey())
        return try [UInt8](capacity: Self.sealedLabelsLength) {
            (output: inout OutputSpan<UInt8>) throws(CryptoError) in
            for byte in nonce { output.append(byte) }
            try cipher.seal(content.span, nonce: nonce.span, authenticating: Span(), into: &output)
        }
    }

    /// Returns the labels of the slots in use of an authentic header.
    ///
    /// What is no label is left out: someone who has the key may have written anything, and nothing depends on labels.
    func labels(in header: Header) throws(ContainerError) -> [Int: SlotLabel] {
        let nonce = Array(header.sealedLabels[..<AES256GCM.nonceLength])
        let sealed = Array(header.sealedLabels[AES256GCM.nonceLength...])
        let content: [UInt8]
        do {
            var cipher = try AES256GCM(key: try labelKey())
            content = try [UInt8](capacity: sealed.count) {
                (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                try cipher.open(sealed.span, nonce: nonce.span, authenticating: Span(), into: &output)
            }
        } catch {
            guard error.code == .authenticationFailed else { throw ContainerError(.cryptoFailed) }
            return [:]
        }
        var labels: [Int: SlotLabel] = [:]
        for number in header.slots.indices where header.slots[number] != nil {
            let start = number * SlotLabel.longest
            labels[number] = SlotLabel(padded: content[start..<(start + SlotLabel.longest)])
        }
        return labels
    }

    private func labelKey() throws(CryptoError) -> SecretBytes {
        try HKDFSHA512.expand(
            key: fileKey, info: Array("healthvault/v1 labels".utf8).span, count: AES256GCM.keyLength)
    }
}
