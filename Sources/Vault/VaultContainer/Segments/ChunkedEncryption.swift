import ByteText
package import VaultCrypto

/// C2SP chunked encryption over AES-256-GCM ("Cobblestone-256", c2sp.org/chunked-encryption).
///
/// A message is a salt (24 bytes), a commitment (32 bytes) and chunks of 16 KiB, the last one always shorter. Key,
/// base nonce and commitment are derived from the input key by HKDF-Expand-SHA-512 over the scheme's label, the
/// salt and the context.
package struct ChunkedEncryption: ~Copyable, Sendable {
    private static let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0]

    private var cipher: AES256GCM
    private let base: [UInt8]
    package let commitment: [UInt8]

    /// Derives the keys of a message.
    ///
    /// - Throws: `invalidSize` unless the input key has 32 bytes.
    package init(
        inputKey: borrowing SecretBytes, salt: [UInt8], context: [UInt8]
    ) throws(CryptoError) {
        let keys = try Self.keys(inputKey, salt, context)
        cipher = try AES256GCM(key: try keys.part(0..<32))
        base = keys.withSpan { keys in (32..<44).map { keys[$0] } }
        commitment = keys.withSpan { keys in (44..<76).map { keys[$0] } }
    }

    /// Returns only the commitment of a message, for comparison.
    static func commitment(
        inputKey: borrowing SecretBytes, salt: [UInt8], context: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try keys(inputKey, salt, context).withSpan { keys in (44..<76).map { keys[$0] } }
    }

    /// Derives key, base nonce and commitment.
    private static func keys(
        _ inputKey: borrowing SecretBytes, _ salt: [UInt8], _ context: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard inputKey.count == AES256GCM.keyLength else { throw CryptoError(.invalidSize) }
        let info = Self.label + salt + context
        return try HKDFSHA512.expand(key: inputKey, info: info.span, count: 76)
    }

    /// Returns the nonce of a chunk: the base nonce XOR the chunk's number as a 96-bit integer.
    private func nonce(_ chunk: Int) -> [UInt8] {
        var nonce = base
        for index in 0..<8 { nonce[11 - index] ^= UInt8(truncatingIfNeeded: chunk >> (8 * index)) }
        return nonce
    }

    /// Encrypts a chunk and appends it with its tag.
    package mutating func seal(
        _ plaintext: Span<UInt8>, chunk: Int, into output: inout OutputSpan<UInt8>
    ) throws(CryptoError) {
        let nonce = nonce(chunk)
        try cipher.seal(plaintext, nonce: nonce.span, authenticating: Span(), into: &output)
    }

    /// Decrypts a chunk and appends its plaintext.
    ///
    /// - Throws: `authenticationFailed`; nothing is appended then.
    package mutating func open(
        _ sealed: Span<UInt8>, chunk: Int, into output: inout OutputSpan<UInt8>
    ) throws(CryptoError) {
        let nonce = nonce(chunk)
        try cipher.open(sealed, nonce: nonce.span, authenticating: Span(), into: &output)
    }

    /// Returns the number of chunks of a message: one more than are full.
    package static func chunkCount(of length: Int) -> Int { length / ContainerFormat.chunkSize + 1 }

    /// Encrypts some chunks of a message and appends them with their tags.
    ///
    /// - Parameter plaintext: The message.
    package mutating func seal(
        chunks: Range<Int>, of plaintext: Span<UInt8>, into output: inout [UInt8]
    ) throws(CryptoError) {
        for chunk in chunks {
            let start = chunk * ContainerFormat.chunkSize
            let part = plaintext.extracting(start..<min(start + ContainerFormat.chunkSize, plaintext.count))
            try output.append(addingCapacity: part.count + ContainerFormat.tagSize) {
                (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                try seal(part, chunk: chunk, into: &output)
            }
        }
    }
}
