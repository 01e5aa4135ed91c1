package import VaultCrypto

/// The reasons why there is no passphrase.
package enum PassphraseProblem: Error, Sendable, Equatable {
    case noTerminal
    case nowhereToShow
    case notEntered
    case different
    case tooShort
    case commandFailed(Int32)
    case unusable(Passphrase.Problem)
}
