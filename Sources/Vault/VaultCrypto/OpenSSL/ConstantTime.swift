import COpenSSL

/// Compares two byte strings in a time that depends on their lengths only.
public func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes {
            unsafe CRYPTO_memcmp(left.baseAddress, $0.baseAddress, left.count) == 0
        }
    }
}
