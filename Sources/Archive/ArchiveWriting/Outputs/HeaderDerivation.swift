import HealthArchive
import Synchronization
import SystemIO
import VaultContainer
import VaultCrypto

/// The derivation of a container's key from its passphrase, on another processor while the export continues.
final class HeaderDerivation: Sendable {
    private struct Outcome: Sendable {
        var result: Result<SealedHeader, ContainerError>
        var seconds: Double
    }

    /// The passphrase, which is wiped once the key is derived.
    private final class Secret: Sendable {
        let passphrase: Passphrase
        init(_ passphrase: consuming Passphrase) { self.passphrase = passphrase }
    }

    private let outcome: Shared
    private let task: Task<Void, Never>

    private final class Shared: Sendable {
        let value = Mutex<Outcome?>(nil)
    }

    init(key: ContainerKey, passphrase: consuming Passphrase, iterations: Int) {
        let secret = Secret(passphrase)
        let shared = Shared()
        outcome = shared
        task = Task.detached {
            let start = SystemClock.uptime()
            let result = Result { () throws(ContainerError) in
                try key.newHeader(passphrase: secret.passphrase, iterations: iterations)
            }
            let seconds = SystemClock.uptime() - start
            DebugLog.log(
                "derived the key of the new archive in \(Int(seconds * 1000)) ms, \(iterations) iterations")
            shared.value.withLock { $0 = Outcome(result: result, seconds: seconds) }
        }
    }

    /// Returns the header; nil if it is not ready.
    func finished() throws(ContainerError) -> SealedHeader? {
        try outcome.value.withLock { $0 }?.result.get()
    }

    /// Waits for the header.
    func value() async throws -> SealedHeader {
        await task.value
        guard let header = try finished() else { throw VaultError(.internalFailure) }
        return header
    }

    /// The duration of the derivation, in seconds; 0 until it has finished.
    var seconds: Double { outcome.value.withLock { $0?.seconds ?? 0 } }
}
