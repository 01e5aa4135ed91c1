import ByteText
package import VaultCrypto

/// The file key of a container that another one continues, encrypted under a key that only the later one has.
///
/// One key derivation therefore opens a chain of any length, and a passphrase is changed only in the newest
/// container.
extension ContainerKey {
    /// Length of an encrypted file key, its tag included.
    package static let wrappedLength = AES256GCM.keyLength + AES256GCM.tagLength

    private static let label = Array("healthvault/v1 predecessor".utf8)

    /// Encrypts the key of another container.
    ///
    /// - Parameters:
    ///   - predecessor: The key of the container that this one continues.
    ///   - index: The digest of that container's index.
    /// - Returns: The encrypted key, the same bytes each time.
    /// - Throws: `cryptoFailed` if memory is short.
    package func wrap(_ predecessor: ContainerKey, index: [UInt8]) throws(ContainerError) -> [UInt8] {
        try crypto { () throws(CryptoError) in
            let keys = try keys(container: [UInt8](predecessor.preamble[32...]), index: index)
            return try predecessor.fileKey.withSpan { fileKey throws(CryptoError) in
                try [UInt8](capacity: Self.wrappedLength) {
                    (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                    var cipher = try AES256GCM(key: keys.key)
                    try cipher.seal(fileKey, nonce: keys.nonce.span, authenticating: Span(), into: &output)
                }
            }
        }
    }

    /// Decrypts the key of another container.
    ///
    /// - Parameters:
    ///   - wrapped: What `wrap` returned.
    ///   - container: The identifier of the other container.
    ///   - index: The digest of its index.
    /// - Throws: `slotDamaged` if it is not the key of that container, encrypted by this one.
    package func unwrap(
        _ wrapped: [UInt8], container: [UInt8], index: [UInt8]
    ) throws(ContainerError) -> SecretBytes {
        guard wrapped.count == Self.wrappedLength else { throw ContainerError(.slotDamaged) }
        do {
            let keys = try keys(container: container, index: index)
            var fileKey = try SecretBytes(zeroes: AES256GCM.keyLength)
            var cipher = try AES256GCM(key: keys.key)
            try fileKey.withMutableSpan { (target: inout MutableSpan<UInt8>) throws(CryptoError) in
                try cipher.open(
                    wrapped.span, nonce: keys.nonce.span, authenticating: Span(), filling: &target)
            }
            return fileKey
        } catch {
            throw ContainerError(error.code == .authenticationFailed ? .slotDamaged : .cryptoFailed)
        }
    }

    /// Derives key and nonce for one predecessor from its identity; they are used for nothing else.
    private func keys(container: [UInt8], index: [UInt8]) throws(CryptoError) -> PredecessorKeys {
        let info = Self.label + container + index
        let output = try HKDFSHA512.expand(
            key: fileKey, info: info.span, count: AES256GCM.keyLength + AES256GCM.nonceLength)
        return PredecessorKeys(
            key: try output.part(0..<AES256GCM.keyLength),
            nonce: output.withSpan { $0.extracting(AES256GCM.keyLength..<$0.count).array })
    }
}

private struct PredecessorKeys: ~Copyable {
    let key: SecretBytes
    let nonce: [UInt8]
}
