import COpenSSL

/// SHA-256 (FIPS 180-4), over bytes added in pieces.
@safe public struct SHA256: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer

    /// Length of a digest in bytes.
    public static let digestLength = 32

    @safe private struct Algorithm: @unchecked Sendable {
        // @unchecked: an EVP_MD is reference counted and never changes.
        let pointer = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    }
    private static let algorithm = Algorithm()

    /// Starts a digest.
    public init() throws(CryptoError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw CryptoError(.outOfMemory) }
        guard let algorithm = unsafe Self.algorithm.pointer,
            unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1
        else {
            unsafe EVP_MD_CTX_free(context)
            throw CryptoError(.unavailable)
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: Span<UInt8>) {
        _ = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest of all bytes added.
    public consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestLength)
        unsafe digest.withUnsafeMutableBufferPointer {
            _ = unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
        }
        return digest
    }

    /// Returns the digest of `bytes`.
    public static func digest(of bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var hash = try SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}
