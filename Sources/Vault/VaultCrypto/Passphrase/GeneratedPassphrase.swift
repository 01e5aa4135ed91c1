/// A random passphrase: 25 characters in five groups, 125 bits.
///
/// The alphabet is that of base 32 (RFC 4648, section 6) in lower case: no 0, 1, 8 or 9, which could be mistaken for
/// letters. The hyphens between the groups belong to the passphrase.
public struct GeneratedPassphrase: ~Copyable, Sendable {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    private static let groups = 5
    private static let groupLength = 5

    /// Its text, ASCII.
    public let text: SecretBytes

    /// Generates a passphrase.
    ///
    /// - Throws: `unavailable` if OpenSSL cannot generate random numbers.
    public init() throws(CryptoError) {
        let random = try SecretBytes.random(count: Self.groups * Self.groupLength)
        var text = try SecretBytes(zeroes: Self.groups * (Self.groupLength + 1) - 1)
        random.withSpan { random in
            text.withMutableSpan { text in
                var index = 0
                for place in random.indices {
                    if place > 0, place % Self.groupLength == 0 {
                        text[index] = UInt8(ascii: "-")
                        index += 1
                    }
                    // 256 is a multiple of 32, so that all characters are equally likely.
                    text[index] = Self.alphabet[Int(random[place] & 31)]
                    index += 1
                }
            }
        }
        self.text = text
    }

    /// Returns the passphrase, prepared as if it were typed.
    public func passphrase() throws(Passphrase.Problem) -> Passphrase {
        try text.withSpan { (text: Span<UInt8>) throws(Passphrase.Problem) in try Passphrase(preparing: text)
        }
    }
}
