import CZxcvbn
import Glibc

/// How hard a passphrase is to guess for someone who has the container.
public struct PassphraseStrength: Sendable, Equatable {
    /// The binary logarithm of the number of guesses that find it for certain.
    ///
    /// Estimated by zxcvbn (Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", USENIX Security 2016), which
    /// knows common passwords, names, words, dates, keyboard patterns and repetitions.
    public let bits: Double

    /// Creates a strength.
    public init(bits: Double) { self.bits = bits }

    /// Strength that keeps a container out of reach for many years.
    public static let recommendedBits = 60.0

    /// Iterations of PBKDF2-HMAC-SHA-512 per second on a thousand graphics cards of the year 2023 (RTX 4090), each
    /// with 3,300 guesses a second at 1,000,000 iterations: scaled from the measurements behind OWASP's figures.
    static let attackerIterations = 3.3e12

    /// Returns the seconds that those thousand cards need to find it, on average after half of the guesses.
    ///
    /// - Parameter iterations: Iterations of PBKDF2 in the key slot.
    public func seconds(iterations: Int) -> Double {
        exp2(bits - 1) * Double(iterations) / Self.attackerIterations
    }
}

extension Passphrase {
    /// Estimates how hard the passphrase is to guess, on this machine and without leaving a copy behind.
    public func strength() throws(CryptoError) -> PassphraseStrength {
        // A C string ends with NUL, which no passphrase contains.
        var text = try SecretBytes(zeroes: bytes.count + 1)
        bytes.withSpan { source in
            text.withMutableSpan { target in
                for index in source.indices { target[index] = source[index] }
            }
        }
        let bits = text.withSpan { text in
            unsafe text.withUnsafeBytes {
                unsafe ZxcvbnMatch($0.assumingMemoryBound(to: CChar.self).baseAddress, nil, nil)
            }
        }
        return PassphraseStrength(bits: bits)
    }
}
