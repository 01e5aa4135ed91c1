import COpenSSL

/// PBKDF2 (RFC 8018, section 5.2; NIST SP 800-132) with HMAC-SHA-512.
public enum PBKDF2: Sendable {
    /// Derives `count` bytes from a passphrase.
    ///
    /// - Parameters:
    ///   - passphrase: Its prepared bytes.
    ///   - salt: At least 16 bytes.
    ///   - iterations: At least 1; the container enforces its own limits.
    ///   - count: Up to 64 bytes cost one block.
    /// - Returns: The key.
    /// - Throws: `invalidSize` for a count or number of iterations out of range.
    public static func derive(
        passphrase: borrowing SecretBytes, salt: Span<UInt8>, iterations: Int, count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...Int(Int32.max)).contains(iterations), (1...1024).contains(count) else {
            throw CryptoError(.invalidSize)
        }
        var key = try SecretBytes(zeroes: count)
        let done = passphrase.withSpan { passphrase in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe salt.withUnsafeBufferPointer { salt in
                    key.withMutableSpan { key in
                        unsafe key.withUnsafeMutableBufferPointer { key in
                            unsafe PKCS5_PBKDF2_HMAC(
                                passphrase.assumingMemoryBound(to: CChar.self).baseAddress,
                                Int32(passphrase.count),
                                salt.baseAddress, Int32(salt.count), Int32(iterations), EVP_sha512(),
                                Int32(count), key.baseAddress)
                        }
                    }
                }
            }
        }
        guard done == 1 else { throw CryptoError(.unavailable) }
        return key
    }
}
