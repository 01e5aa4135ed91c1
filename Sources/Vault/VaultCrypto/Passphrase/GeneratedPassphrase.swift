/// A random passphrase: 25 characters in five groups, 125 bits.
///
/// The alphabet is that of base 32 (RFC 4648, section 6) in lower case: no 0, 1, 8 or 9, which could be mistaken for
/// letters. It is copied from paper, so case, hyphens and spaces do not matter where it is typed.
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

    /// Returns a text of the form of a generated passphrase as keys are derived from it: in lower case and groups.
    ///
    /// - Parameter bytes: The text, in either case, with hyphens and spaces anywhere.
    /// - Returns: nil for a text of any other form.
    static func grouped(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
        let length = groups * groupLength
        let isOfForm = bytes.withSpan { bytes in
            var letters = 0
            for index in bytes.indices where !isSeparator(bytes[index]) {
                guard alphabet.contains(lowercased(bytes[index])) else { return false }
                letters += 1
            }
            return letters == length
        }
        guard isOfForm else { return nil }
        var text = try SecretBytes(zeroes: length + groups - 1)
        bytes.withSpan { bytes in
            text.withMutableSpan { text in
                var (index, letters) = (0, 0)
                for place in bytes.indices where !isSeparator(bytes[place]) {
                    if letters > 0, letters % groupLength == 0 {
                        text[index] = UInt8(ascii: "-")
                        index += 1
                    }
                    text[index] = lowercased(bytes[place])
                    index += 1
                    letters += 1
                }
            }
        }
        return text
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }

    /// Returns the passphrase, prepared as if it were typed.
    public func passphrase() throws(Passphrase.Problem) -> Passphrase {
        try text.withSpan { (text: Span<UInt8>) throws(Passphrase.Problem) in try Passphrase(preparing: text)
        }
    }
}
