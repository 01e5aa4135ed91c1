import HealthVault
import SystemIO
import VaultContainer
import Wording

/// The attempts to enter the right passphrase.
package enum PassphraseAttempts {
    /// The maximum number of attempts.
    package static let count = 3

    /// Runs an operation that reads a passphrase, and repeats it while the passphrase is wrong, three times in all.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the passphrase comes from a person; any other source would give the same one again.
    ///   - correcting: Whether to also ask again if the text is not a valid passphrase.
    ///   - operation: Reads the passphrase and uses it; changes nothing if it is wrong.
    package static func run<Result>(
        whileAsked isAsked: Bool, correcting: Bool = false, _ operation: () async throws -> Result
    ) async throws -> Result {
        for _ in 1..<count where isAsked {
            do { return try await operation() } catch { try report(error, correcting) }
        }
        return try await operation()
    }

    /// Runs a synchronous operation that reads a passphrase, and repeats it in the same way.
    package static func run<Result: ~Copyable>(
        whileAsked isAsked: Bool, correcting: Bool = false, _ operation: () throws -> Result
    ) throws -> Result {
        for _ in 1..<count where isAsked {
            do { return try operation() } catch { try report(error, correcting) }
        }
        return try operation()
    }

    /// Reports a wrong or invalid passphrase, and throws any other error.
    private static func report(_ error: any Error, _ correcting: Bool) throws {
        switch error {
        case let problem as PassphraseProblem where correcting && problem.isCorrectable:
            Console.log("\(problem.words), try again")
            return
        case let error as VaultError where error.isWrongPassphrase: break
        case let error as ContainerError where error.code == .wrongPassphrase: break
        default: throw error
        }
        Console.log("wrong passphrase, try again")
    }
}
