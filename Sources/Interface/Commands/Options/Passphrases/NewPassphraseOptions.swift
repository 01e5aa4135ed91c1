package import CommandLineKit
package import SystemIO
import VaultContainer
package import VaultCrypto
import Wording

/// The options for the source of a new passphrase.
package struct NewPassphraseOptions: Sendable {
    package var given: PassphraseOptions
    package var generate = false

    package init(named name: String = "passphrase") { given = PassphraseOptions(named: name) }

    package static let elements: [GrammarElement<NewPassphraseOptions>] = [
        .including(\.given, PassphraseOptions.elements), generation,
    ]

    /// Returns the option `NAME-file`, and the one that generates a passphrase.
    package static func file(named name: String) -> [GrammarElement<NewPassphraseOptions>] {
        [.including(\.given, [PassphraseOptions.file(named: name)]), generation]
    }

    private static let generation = GrammarElement<NewPassphraseOptions>.flag(
        \.generate, "generate-passphrase", "generate one with 125 random bits and show it once")

    package func validate() throws(UsageError) {
        try given.validate()
        if generate, given.isGiven {
            throw UsageError(
                .invalidCombination, "--generate-passphrase excludes the other sources of a passphrase")
        }
    }

    /// Whether any passphrase option was given.
    package var isGiven: Bool { generate || given.isGiven }

    /// Reads or generates the passphrase, rejects a short one, and warns if it is weak.
    ///
    /// On the terminal, asks twice, asks again if something is wrong (three times in all), and offers to generate one
    /// in place of a weak one.
    ///
    /// - Parameters:
    ///   - prompt: The question on the terminal.
    ///   - iterations: The iterations of the key slot, for the cost of guessing.
    package func read(prompt: String, iterations: Int) throws -> Passphrase {
        if generate { return try Self.generated() }
        if given.isGiven {
            let passphrase = try given.readUnattended()
            try Self.check(passphrase)
            _ = try Self.warn(passphrase, iterations)
            return passphrase
        }
        for _ in 1..<PassphraseAttempts.count {
            do { return try ask(prompt, iterations) } catch let problem as PassphraseProblem {
                guard problem.isCorrectable else { throw problem }
                Console.log("\(problem.words), try again")
            }
        }
        return try ask(prompt, iterations)
    }

    private func ask(_ prompt: String, _ iterations: Int) throws -> Passphrase {
        let passphrase = try given.ask(prompt)
        try Self.check(passphrase)
        if try Self.warn(passphrase, iterations),
            Console.confirm("Generate a strong passphrase instead?")
        {
            return try Self.generated()
        }
        guard passphrase.equals(try given.ask("Repeat passphrase: ")) else {
            throw PassphraseProblem.different
        }
        return passphrase
    }

    private static func check(_ passphrase: borrowing Passphrase) throws {
        guard passphrase.bytes.count >= Passphrase.shortestForWriting else {
            throw PassphraseProblem.tooShort
        }
        guard !passphrase.hasUnassigned else { throw PassphraseProblem.unusable(.unassigned) }
    }

    /// Warns about a weak passphrase.
    ///
    /// - Returns: Whether it is weak.
    private static func warn(_ passphrase: borrowing Passphrase, _ iterations: Int) throws -> Bool {
        guard let warning = GuessingCost.warning(try passphrase.strength(), iterations) else { return false }
        Console.log("warning: \(warning)")
        return true
    }

    private static func generated() throws -> Passphrase {
        let generated = try GeneratedPassphrase()
        do {
            try generated.text.withSpan { text throws(Terminal.Failure) in
                try Terminal.showSecret(
                    text,
                    before:
                        "Your passphrase. Write it down now: it is not shown again. Case, hyphens and spaces do not matter.\n\n    ",
                    after: "\n\n")
            }
        } catch { throw PassphraseProblem.nowhereToShow }
        do { return try generated.passphrase() } catch { throw PassphraseProblem.unusable(error) }
    }
}

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
