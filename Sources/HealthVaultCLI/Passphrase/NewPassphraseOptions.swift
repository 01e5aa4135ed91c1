import CommandLineKit
import CommandOutput
import SystemIO
import VaultContainer
import VaultCrypto

/// The options for the source of a new passphrase.
struct NewPassphraseOptions: Sendable {
    var given = PassphraseOptions()
    var generate = false

    /// Returns the options whose names start with `name`, and the one that generates a passphrase.
    static func elements(named name: String) -> [GrammarElement<NewPassphraseOptions>] {
        [
            .including(\.given, PassphraseOptions.elements(named: name)),
            .flag(
                \.generate, "generate-passphrase", "make one of 125 random bits and show it on the terminal"),
        ]
    }

    func validate() throws(UsageError) {
        try given.validate()
        if generate, given.isGiven {
            throw UsageError(
                .invalidCombination, "a passphrase is either given or made by --generate-passphrase")
        }
    }

    /// Whether any option about the passphrase was given.
    var isGiven: Bool { generate || given.isGiven }

    /// Reads or generates the passphrase; asks twice on the terminal, rejects a short one, and warns if it is weak.
    ///
    /// - Parameters:
    ///   - prompt: The question on the terminal.
    ///   - iterations: The iterations of the key slot, for the cost of guessing.
    func read(prompt: String, iterations: Int) throws -> Passphrase {
        if generate { return try Self.generated() }
        let passphrase: Passphrase
        if given.isGiven {
            passphrase = try given.readUnattended()
        } else {
            passphrase = try given.ask(prompt)
            let again = try given.ask("The same once more: ")
            guard passphrase.equals(again) else { throw PassphraseProblem.different }
        }
        guard passphrase.bytes.count >= Passphrase.shortestForWriting else {
            throw PassphraseProblem.tooShort
        }
        guard !passphrase.hasUnassigned else { throw PassphraseProblem.unusable(.unassigned) }
        if let warning = GuessingCost.warning(try passphrase.strength(), iterations) {
            Console.log("warning: \(warning)")
        }
        return passphrase
    }

    private static func generated() throws -> Passphrase {
        let generated = try GeneratedPassphrase()
        do {
            try generated.text.withSpan { text throws(Terminal.Failure) in
                try Terminal.showSecret(
                    text,
                    before:
                        "The passphrase, hyphens included; it is shown this once, so write it down:\n\n    ",
                    after: "\n\n")
            }
        } catch { throw PassphraseProblem.nowhereToShow }
        do { return try generated.passphrase() } catch { throw PassphraseProblem.unusable(error) }
    }
}
