import CommandOutput
import HealthVault
import SystemIO
import VaultContainer

/// Asks for a passphrase again where it was wrong.
enum PassphraseAttempts {
    /// How often a person may try.
    static let count = 3

    /// Runs an operation that reads a passphrase, and repeats it while the passphrase is wrong, three times in all.
    ///
    /// - Parameters:
    ///   - isAsked: Whether the passphrase comes from a person; any other source would give the same again.
    ///   - operation: Reads the passphrase and uses it; changes nothing if it is wrong.
    static func run<Result>(
        whileAsked isAsked: Bool, _ operation: () async throws -> Result
    ) async throws -> Result {
        for _ in 1..<count where isAsked {
            do { return try await operation() } catch { try report(error) }
        }
        return try await operation()
    }

    /// Runs an operation that reads a passphrase, as the other function does, without waiting.
    static func run<Result>(whileAsked isAsked: Bool, _ operation: () throws -> Result) throws -> Result {
        for _ in 1..<count where isAsked {
            do { return try operation() } catch { try report(error) }
        }
        return try operation()
    }

    /// Reports a passphrase that was wrong, or cannot be one, and throws any other error.
    private static func report(_ error: any Error) throws {
        switch error {
        case PassphraseProblem.unusable(let problem) where problem != .outOfMemory:
            Console.log("\(PassphraseText.describe(.unusable(problem)).message), try again")
            return
        case let error as VaultError where error.isWrongPassphrase: break
        case let error as ContainerError where error.code == .wrongPassphrase: break
        default: throw error
        }
        Console.log("wrong passphrase, try again")
    }
}
