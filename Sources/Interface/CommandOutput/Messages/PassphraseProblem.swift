package import VaultCrypto

/// The reasons why there is no passphrase.
package enum PassphraseProblem: Error, Sendable, Equatable {
    /// There is no terminal; the names of the options for other places start with this.
    case noTerminal(option: String)
    case nowhereToShow
    case notEntered
    case different
    case tooShort
    case commandFailed(Int32)
    case unusable(Passphrase.Problem)

    /// Whether a person can type a better one.
    package var isCorrectable: Bool {
        switch self {
        case .different, .tooShort: true
        case .unusable(let problem): problem != .outOfMemory
        case .noTerminal, .nowhereToShow, .notEntered, .commandFailed: false
        }
    }
}
