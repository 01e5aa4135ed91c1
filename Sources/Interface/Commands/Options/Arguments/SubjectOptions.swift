package import CommandLineKit
package import HealthVault

/// Options of commands that bring what they have of a person up to date with a further export.
package struct SubjectOptions: Sendable {
    package var person: String?
    package var allowsOlder = false
    package var allowsDeletions = false

    package init() {}

    package static let elements = person + allowances

    /// The option that names the person.
    package static let person: [GrammarElement<SubjectOptions>] = [
        .option(
            \.person, "person", value: "NAME",
            "whose export it is; by default the person is found by the samples, and gets a random name",
            as: .text)
    ]

    /// The options that accept what may be a mistake.
    package static let allowances: [GrammarElement<SubjectOptions>] = [
        .flag(\.allowsOlder, "allow-older", "accept an export that is older than the last one"),
        .flag(
            \.allowsDeletions, "allow-deletions",
            "accept an export that lacks more than half of what is there"),
    ]

    package func validate() throws(UsageError) { try Self.validate(person) }

    /// Checks the name of a person.
    package static func validate(_ person: String?) throws(UsageError) {
        guard let person else { return }
        let isClean = person.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        guard isClean, (1...100).contains(person.utf8.count) else {
            throw UsageError(
                .invalidValue, "--person takes a name of 1 to 100 bytes without control characters")
        }
    }

    package var terms: SubjectTerms {
        SubjectTerms(person: person, allowsOlder: allowsOlder, allowsDeletions: allowsDeletions)
    }
}
