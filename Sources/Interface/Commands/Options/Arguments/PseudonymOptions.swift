import CommandLineKit
import HealthVault
import SystemIO

/// The options for a copy that does not name its person.
struct PseudonymOptions: Sendable {
    private(set) var isWanted = false
    private var secret: BytePath?
    private var subject = SubjectOptions()

    static let elements: [GrammarElement<PseudonymOptions>] = [
        .flag(
            \.isWanted, "pseudonymise",
            "number the sources, shift dates, leave out names, free texts and files"),
        .option(
            \.secret, "pseudonym-secret", value: "FILE",
            "the key file that gives a person the same numbers and dates again; made if missing", as: .file),
        .option(
            \.subject.person, "person", value: "NAME",
            "whose export it is; by default known by day of birth and sex", as: .text),
    ]

    func validate() throws(UsageError) {
        try subject.validate()
        if !isWanted, secret != nil {
            throw UsageError(
                .invalidCombination, "--pseudonym-secret works only with --pseudonymise",
                hint: "add --pseudonymise")
        }
        if secret == nil, subject.person != nil {
            throw UsageError(
                .invalidCombination, "--person works only with --pseudonym-secret", hint: "leave it out")
        }
    }

    /// Returns the secret; nil for a copy with names.
    func pseudonyms() throws(VaultError) -> Pseudonyms? {
        guard isWanted else { return nil }
        return if let secret { try Pseudonyms(secretAt: secret, person: subject.person) } else {
            try Pseudonyms()
        }
    }
}
