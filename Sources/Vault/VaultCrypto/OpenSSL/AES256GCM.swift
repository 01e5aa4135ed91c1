import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with 96-bit nonces and 16-byte tags only.
///
/// Use one value per thread: it keeps OpenSSL's context, so that a chunk costs no more than setting its nonce.
@safe public struct AES256GCM: ~Copyable, @unchecked Sendable {
    // @unchecked: the context belongs to this value alone.
    private let context: OpaquePointer

    /// Length of a key in bytes.
    public static let keyLength = 32
    /// Length of a nonce in bytes.
    public static let nonceLength = 12
    /// Length of a tag in bytes.
    ///
    /// OpenSSL accepts shorter ones when opening; this type never does.
    public static let tagLength = 16

    @safe private struct Algorithm: @unchecked Sendable {
        // @unchecked: an EVP_CIPHER is reference counted and never changes.
        let pointer = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }
    private static let algorithm = Algorithm()

    /// Creates a cipher with a key.
    ///
    /// - Throws: `invalidSize` unless it has 32 bytes.
    public init(key: borrowing SecretBytes) throws(CryptoError) {
        guard key.count == Self.keyLength else { throw CryptoError(.invalidSize) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw CryptoError(.outOfMemory) }
        let ready = key.withSpan { key in
            unsafe key.withUnsafeBufferPointer { key in
                guard let algorithm = unsafe Self.algorithm.pointer else { return false }
                return unsafe EVP_CipherInit_ex2(context, algorithm, key.baseAddress, nil, 1, nil) == 1
            }
        }
        guard ready else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw CryptoError(.unavailable)
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// Encrypts `plaintext` and appends ciphertext and tag to `output`.
    ///
    /// - Throws: `invalidSize` for a nonce that does not have 12 bytes, or an output with too little room.
    public mutating func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(CryptoError) {
        guard nonce.count == Self.nonceLength, output.freeCapacity >= plaintext.count + Self.tagLength else {
            throw CryptoError(.invalidSize)
        }
        try start(encrypting: 1, nonce: nonce, authenticating: data)
        let done = unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            let target = unsafe buffer.baseAddress.map { unsafe $0 + count }
            guard unsafe transform(plaintext, to: target), let target = unsafe target else { return false }
            let tag = unsafe target + plaintext.count
            let ready = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), tag)
            guard ready == 1 else { return false }
            count += plaintext.count + Self.tagLength
            return true
        }
        guard done else { throw CryptoError(.unavailable) }
    }

    /// Decrypts ciphertext and tag, and appends the plaintext to `output`.
    ///
    /// - Throws: `authenticationFailed` if the tag does not match; nothing is appended then.
    public mutating func open(
        _ sealed: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(CryptoError) {
        let length = try plaintextLength(of: sealed, nonce: nonce, room: output.freeCapacity)
        try start(encrypting: 0, nonce: nonce, authenticating: data)
        let authentic = unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            let target = unsafe buffer.baseAddress.map { unsafe $0 + count }
            guard unsafe open(sealed, length: length, to: target) else { return false }
            count += length
            return true
        }
        guard authentic else { throw CryptoError(.authenticationFailed) }
    }

    /// Decrypts a secret into the first bytes of `target`.
    ///
    /// - Throws: `authenticationFailed` if the tag does not match; `target` then contains zeroes.
    public mutating func open(
        _ sealed: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>,
        filling target: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        let length = try plaintextLength(of: sealed, nonce: nonce, room: target.count)
        try start(encrypting: 0, nonce: nonce, authenticating: data)
        let authentic = unsafe target.withUnsafeMutableBufferPointer {
            unsafe open(sealed, length: length, to: $0.baseAddress)
        }
        guard authentic else { throw CryptoError(.authenticationFailed) }
    }

    private func plaintextLength(
        of sealed: Span<UInt8>, nonce: Span<UInt8>, room: Int
    ) throws(CryptoError) -> Int {
        guard sealed.count >= Self.tagLength else { throw CryptoError(.authenticationFailed) }
        let length = sealed.count - Self.tagLength
        guard nonce.count == Self.nonceLength, room >= length else { throw CryptoError(.invalidSize) }
        return length
    }

    /// Decrypts to `target`, which has room for `length` bytes; returns false if the tag is wrong, and then they
    /// are zero.
    @unsafe private func open(_ sealed: Span<UInt8>, length: Int, to target: UnsafeMutablePointer<UInt8>?)
        -> Bool
    {
        let tag = sealed.extracting(length..<sealed.count)
        let ready = unsafe tag.withUnsafeBytes {
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength),
                UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
        guard ready == 1 else { return false }
        if unsafe transform(sealed.extracting(0..<length), to: target) { return true }
        // Plaintext that does not authenticate must not be released.
        if let target = unsafe target { unsafe OPENSSL_cleanse(target, length) }
        return false
    }

    private func start(
        encrypting direction: Int32, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(CryptoError) {
        let ready = unsafe nonce.withUnsafeBufferPointer {
            unsafe EVP_CipherInit_ex2(context, nil, nil, $0.baseAddress, direction, nil)
        }
        guard ready == 1 else { throw CryptoError(.unavailable) }
        guard !data.isEmpty else { return }
        var written: Int32 = 0
        let taken = unsafe data.withUnsafeBufferPointer {
            unsafe EVP_CipherUpdate(context, nil, &written, $0.baseAddress, Int32($0.count))
        }
        guard taken == 1 else { throw CryptoError(.unavailable) }
    }

    /// Runs the cipher over `input`; returns false if OpenSSL refuses or, when opening, the tag is wrong.
    @unsafe private func transform(_ input: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>?) -> Bool {
        var written: Int32 = 0
        if !input.isEmpty {
            let taken = unsafe input.withUnsafeBufferPointer {
                unsafe EVP_CipherUpdate(context, target, &written, $0.baseAddress, Int32($0.count))
            }
            guard taken == 1, written == input.count else { return false }
        }
        // GCM is a stream mode: the last call produces no bytes, but OpenSSL requires a pointer.
        var rest = (UInt64(0), UInt64(0))
        return unsafe withUnsafeMutableBytes(of: &rest) {
            unsafe EVP_CipherFinal_ex(context, $0.assumingMemoryBound(to: UInt8.self).baseAddress, &written)
                == 1
        }
    }
}
