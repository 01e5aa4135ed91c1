import HealthArchive
import Synchronization
import SystemIO
import VaultContainer

/// The key ring that was opened last, so that a thousand archives do not authenticate it a thousand times.
enum LastKeyRing: Sendable {
    private struct Opened: Sendable {
        let paths: [BytePath]
        let statuses: [FileStatus]
        let ring: KeyRing
    }

    private static let last = Mutex<Opened?>(nil)

    /// Opens a key ring, unless it is the last one and neither of its files has changed.
    ///
    /// - Throws: `KeyRingFailure`.
    static func open(_ ring: BytePath, key: BytePath) throws(KeyRingFailure) -> KeyRing {
        do {
            let paths = [ring, key]
            let statuses = try paths.map { path in try FileStatus(at: path) }
            // In the child of a process, a thread that is not there any more may hold the lock.
            let known = last.withLockIfAvailable { $0 }.flatMap(\.self)
            if let known, known.paths == paths, known.statuses == statuses { return known.ring }
            let opened = Opened(
                paths: paths, statuses: statuses, ring: try KeyRing.open(ring, keyFile: key))
            _ = last.withLockIfAvailable { $0 = opened }
            return opened.ring
        } catch { throw KeyRingFailure(error: error) }
    }
}

/// A key ring or its key cannot be used: all archives would fail in the same way.
struct KeyRingFailure: Error {
    let error: any Error
}
