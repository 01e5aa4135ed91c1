import COpenSSL

/// OpenSSL's random generators, reseeded from the system's.
public enum Random: Sendable {
    /// Returns `count` random bytes that need not be secret: salts, nonces, identifiers.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_bytes($0.baseAddress, Int32($0.count))
        }
        guard done == 1 else { throw CryptoError(.unavailable) }
        return bytes
    }

    fileprivate static func fillPrivate(_ target: inout MutableSpan<UInt8>) throws(CryptoError) {
        let done = unsafe target.withUnsafeMutableBufferPointer {
            unsafe RAND_priv_bytes($0.baseAddress, Int32($0.count))
        }
        guard done == 1 else { throw CryptoError(.unavailable) }
    }
}

extension SecretBytes {
    /// Returns a secret of `count` bytes from OpenSSL's generator for private values.
    public static func random(count: Int) throws(CryptoError) -> SecretBytes {
        var secret = try SecretBytes(zeroes: count)
        try secret.withMutableSpan { span throws(CryptoError) in try Random.fillPrivate(&span) }
        return secret
    }
}
