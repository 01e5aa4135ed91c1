package import CommandLineKit
import HealthVault
import SystemIO
package import VaultContainer

/// The options for what opens an archive: a passphrase, or a key ring.
package struct KeyOptions: Sendable {
    package var passphrase: PassphraseOptions
    private var ring: BytePath?
    private var keyFile: BytePath?

    /// What opens a source that is open already, for commands that open no other.
    @TaskLocal static var held: ArchiveKey?

    /// Creates the options with the name of the passphrase.
    package init(named name: String = "passphrase") { passphrase = PassphraseOptions(named: name) }

    /// The heading of the options.
    package static let section = "passphrase"

    package static let elements: [GrammarElement<KeyOptions>] = [
        .section(section, [.including(\.passphrase, PassphraseOptions.elements)] + ringElements)
    ]

    /// The options for what opens another archive than the one that a command is about.
    package static func other(
        _ title: String, _ more: [GrammarElement<KeyOptions>] = []
    ) -> [GrammarElement<KeyOptions>] {
        let file = PassphraseOptions.file(named: PassphraseOptions.other)
        return [.section(title, [.including(\.passphrase, [file])] + more)]
    }

    /// The options for a key ring.
    package static let ringElements: [GrammarElement<KeyOptions>] = [
        .option(\.ring, "keyring", value: "FILE", "use a key ring in place of a passphrase", as: .file),
        .option(\.keyFile, "key-file", value: "FILE", "the key of the key ring", as: .file),
    ]

    /// Refuses a key ring where the passphrase itself is needed.
    ///
    /// - Parameter purpose: What needs it.
    package static func refusingRing<Settings>(_ purpose: String) -> GrammarElement<Settings> {
        .refused(["keyring", "key-file"], "a key ring has no passphrase, which \(purpose)")
    }

    package func validate() throws(UsageError) {
        try passphrase.validate()
        guard (ring == nil) == (keyFile == nil) else {
            throw UsageError(
                .invalidCombination, "--keyring and --key-file are needed together",
                hint: "'healthvault keyring make' makes both files")
        }
        if ring != nil, passphrase.isGiven {
            throw UsageError(.invalidCombination, "a key ring takes the place of a passphrase")
        }
    }

    /// Whether a key ring was given.
    package var hasRing: Bool { ring != nil }

    /// Whether nobody needs to be asked.
    package var isGiven: Bool { hasRing || passphrase.isGiven || Self.held != nil }

    /// Returns these options, or those of the archive that a command is about if none were given.
    package func or(_ others: KeyOptions) -> KeyOptions { isGiven ? self : others }

    /// Returns the key; asks for the passphrase if nothing was given.
    package func read(prompt: String) throws -> ArchiveKey {
        if let held = Self.held { return held }
        guard let ring, let keyFile else { return .passphrase(try passphrase.read(prompt: prompt)) }
        return .keyRing(try KeyRing.open(ring, keyFile: keyFile))
    }

    /// Runs an operation with the key; asks again for a passphrase that is wrong, three times in all.
    package func unlocking<Result>(
        prompt: String = "Passphrase: ", _ operation: (ArchiveKey) throws -> Result
    ) throws -> Result {
        try PassphraseAttempts.run(whileAsked: !isGiven, correcting: true) {
            try operation(try read(prompt: prompt))
        }
    }

    /// Runs an asynchronous operation in the same way.
    package func unlocking<Result>(
        prompt: String = "Passphrase: ", _ operation: (ArchiveKey) async throws -> Result
    ) async throws -> Result {
        try await PassphraseAttempts.run(whileAsked: !isGiven, correcting: true) {
            try await operation(try read(prompt: prompt))
        }
    }
}
