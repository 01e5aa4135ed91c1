import COpenSSL

/// HKDF-Expand (RFC 5869, section 2.3) with SHA-512.
///
/// The input keys here are uniform, so Extract is not needed.
public enum HKDFSHA512: Sendable {
    /// The longest output: 255 blocks of 64 bytes.
    public static let longestOutput = 255 * 64

    /// Expands `key` to `count` bytes that depend on `info`.
    ///
    /// - Throws: `invalidSize` when `count` is not 1...16320.
    public static func expand(
        key: borrowing SecretBytes, info: Span<UInt8>, count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...longestOutput).contains(count) else { throw CryptoError(.invalidSize) }
        guard let context = unsafe KDFContext.make() else { throw CryptoError(.unavailable) }
        defer { unsafe EVP_KDF_CTX_free(context) }
        var output = try SecretBytes(zeroes: count)
        var digest = Array("SHA512".utf8CString)
        var mode = Int32(EVP_KDF_HKDF_MODE_EXPAND_ONLY)
        let done = key.withSpan { key in
            unsafe key.withUnsafeBytes { key in
                unsafe info.withUnsafeBytes { info in
                    unsafe digest.withUnsafeMutableBufferPointer { digest in
                        unsafe withUnsafeMutablePointer(to: &mode) { mode in
                            let parameters = unsafe [
                                OSSL_PARAM_construct_utf8_string(name("digest"), digest.baseAddress, 0),
                                OSSL_PARAM_construct_int(name("mode"), mode),
                                OSSL_PARAM_construct_octet_string(
                                    name("key"), UnsafeMutableRawPointer(mutating: key.baseAddress), key.count
                                ),
                                OSSL_PARAM_construct_octet_string(
                                    name("info"), UnsafeMutableRawPointer(mutating: info.baseAddress),
                                    info.count),
                                OSSL_PARAM_construct_end(),
                            ]
                            return output.withMutableSpan { output in
                                unsafe output.withUnsafeMutableBufferPointer {
                                    unsafe EVP_KDF_derive(context, $0.baseAddress, count, parameters)
                                }
                            }
                        }
                    }
                }
            }
        }
        guard done == 1 else { throw CryptoError(.unavailable) }
        return output
    }

    /// The name of a parameter (the OSSL_KDF_PARAM_ macros).
    ///
    /// OpenSSL keeps the pointer, so it must point to static memory; a macro's string would be a temporary copy
    /// that is gone when the parameter is used.
    @unsafe private static func name(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

private enum KDFContext {
    /// The algorithm is looked up once; a look-up costs more than a derivation.
    @safe private struct Algorithm: @unchecked Sendable {
        // @unchecked: an EVP_KDF is reference counted and never changes.
        let pointer = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
    }
    private static let algorithm = Algorithm()

    @unsafe static func make() -> OpaquePointer? {
        guard let algorithm = unsafe algorithm.pointer else { return nil }
        return unsafe EVP_KDF_CTX_new(algorithm)
    }
}
