package import SystemIO
package import VaultCrypto
import Wording

/// The cost of guessing a passphrase, in everyday terms.
package enum GuessingCost {
    /// Returns a warning; nil if the passphrase is strong enough.
    package static func warning(_ strength: PassphraseStrength, _ iterations: Int) -> TerminalText? {
        guard strength.bits < PassphraseStrength.recommendedBits else { return nil }
        let time = time(strength.seconds(iterations: iterations))
        return "weak passphrase: 1,000 graphics cards would guess it \(time); use six random words or "
            + "--generate-passphrase"
    }

    private static func time(_ seconds: Double) -> TerminalText {
        let units: [(Double, String)] = [
            (365.25 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"),
        ]
        for (length, name) in units where seconds >= length {
            return "in about \(Quantities.count(Int((seconds / length).rounded()), name))"
        }
        return "instantly"
    }
}
