import VaultCrypto

/// A key slot: the file's key, wrapped under a key derived from a passphrase.
struct KeySlot: Sendable, Equatable {
    let iterations: Int
    let salt: [UInt8]
    let commitment: [UInt8]
    let nonce: [UInt8]
    let sealedKey: [UInt8]

    /// The part of a slot's 128 bytes that the sealed key authenticates.
    private var authenticated: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendInteger(UInt64(iterations), bytes: 4)
        return bytes + salt + commitment
    }

    var bytes: [UInt8] { authenticated + nonce + sealedKey }

    /// Reads a slot; nil for an empty one.
    ///
    /// - Throws: `malformedHeader` for an empty slot with bytes in it, `kdfRefused` for iterations out of range.
    init?(_ bytes: [UInt8]) throws(ContainerError) {
        iterations = Int(bytes.integer(at: 0, bytes: 4))
        if iterations == 0 {
            guard bytes.allSatisfy({ $0 == 0 }) else { throw ContainerError(.malformedHeader) }
            return nil
        }
        guard ContainerFormat.readableIterations.contains(iterations) else {
            throw ContainerError(.kdfRefused)
        }
        salt = [UInt8](bytes[4..<36])
        commitment = [UInt8](bytes[36..<68])
        nonce = [UInt8](bytes[68..<80])
        sealedKey = [UInt8](bytes[80..<128])
    }

    /// Wraps `fileKey` under a passphrase, with a fresh salt and nonce.
    init(
        wrapping fileKey: borrowing SecretBytes, preamble: [UInt8], passphrase: borrowing Passphrase,
        iterations: Int
    ) throws(CryptoError) {
        self.iterations = iterations
        salt = try Random.bytes(32)
        nonce = try Random.bytes(AES256GCM.nonceLength)
        let derived = try passphrase.derivations.key(passphrase, salt: salt, iterations: iterations)
        commitment = derived.commitment
        var count: [UInt8] = []
        count.appendInteger(UInt64(iterations), bytes: 4)
        let data = preamble + count + salt + commitment
        let nonce = nonce
        sealedKey = try fileKey.withSpan { key throws(CryptoError) in
            try [UInt8](capacity: 48) { (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                var cipher = try AES256GCM(key: derived.key)
                try cipher.seal(key, nonce: nonce.span, authenticating: data.span, into: &output)
            }
        }
    }

    /// Returns the file's key; nil if the derived key is not this slot's.
    ///
    /// - Throws: `slotDamaged` if the passphrase is right but the sealed key does not authenticate.
    func open(with derived: DerivedKey, preamble: [UInt8]) throws(ContainerError) -> SecretBytes? {
        let derivedCommitment = derived.commitment
        guard constantTimeEqual(derivedCommitment.span, commitment.span) else { return nil }
        do {
            var key = try SecretBytes(zeroes: AES256GCM.keyLength)
            var cipher = try AES256GCM(key: derived.key)
            let data = preamble + authenticated
            try key.withMutableSpan { (target: inout MutableSpan<UInt8>) throws(CryptoError) in
                try cipher.open(
                    sealedKey.span, nonce: nonce.span, authenticating: data.span, filling: &target)
            }
            return key
        } catch {
            throw ContainerError(error.code == .authenticationFailed ? .slotDamaged : .cryptoFailed)
        }
    }
}

extension KeySlot {
    /// Everything besides the passphrase that determines the result of PBKDF2.
    var derivationInput: [UInt8] {
        var input = salt
        input.appendInteger(UInt64(iterations), bytes: 4)
        return input
    }
}

extension KeyDerivations {
    /// Returns the key for a slot, deriving it if necessary.
    ///
    /// - Throws: `kdfRefused` if the slot has more iterations than are to be waited for.
    func key(for slot: KeySlot, _ passphrase: borrowing Passphrase) throws(ContainerError) -> DerivedKey {
        guard slot.iterations <= mostIterations else { throw ContainerError(.kdfRefused) }
        return try crypto { () throws(CryptoError) in
            try key(passphrase, salt: slot.salt, iterations: slot.iterations)
        }
    }
}
