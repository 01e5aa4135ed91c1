import COpenSSL

/// HMAC-SHA-512 (RFC 2104, FIPS 198-1).
public enum HMACSHA512: Sendable {
    /// Length of a code in bytes.
    public static let codeLength = 64

    /// Returns the authentication code of `message` under `key`.
    public static func code(of message: Span<UInt8>, key: borrowing SecretBytes) throws(CryptoError)
        -> [UInt8]
    {
        var code = [UInt8](repeating: 0, count: codeLength)
        var length: UInt32 = 0
        let done = key.withSpan { key in
            unsafe key.withUnsafeBytes { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe code.withUnsafeMutableBufferPointer { code in
                        unsafe HMAC(
                            EVP_sha512(), key.baseAddress, Int32(key.count), message.baseAddress,
                            message.count,
                            code.baseAddress, &length) != nil
                    }
                }
            }
        }
        guard done, length == codeLength else { throw CryptoError(.unavailable) }
        return code
    }
}
