import ArchiveWriting
import HealthArchive
import Synchronization
import SystemIO

/// A watch over the free space of a drive while an export is written to it.
///
/// From what was written so far and how much of the source that was, it estimates what is still to come, and reports a
/// shortage before the drive is full.
final class SpaceWatch: Sendable {
    /// What is still needed, and what is free.
    struct Shortage: Sendable {
        let needed: Int
        let free: Int
    }

    private struct State {
        /// The number of bytes of the source at which to look next.
        var next = 0
        var shortage: Shortage?
    }

    private let state = Mutex(State())

    /// The share of the source that must have been read before the rest can be estimated.
    private static let least = 8
    /// The number of times to look while a source is read.
    private static let looks = 32

    /// The shortage, once there is one.
    var shortage: Shortage? { state.withLock { $0.shortage } }

    /// Returns a handler that looks at the drive now and then, and passes on all progress.
    func watching(
        _ location: DestinationLocation, for target: BytePath, then handler: @escaping ProgressHandler
    ) -> ProgressHandler {
        let unfinished = UnfinishedOutput.path(forTarget: target, isEncrypted: true)
        return { [self] progress in
            look(progress) {
                guard let free = try? location.freeSpace(), let size = try? FileStatus(at: unfinished).size
                else { return nil }
                return (size, free)
            }
            handler(progress)
        }
    }

    /// Estimates what is still to be written.
    ///
    /// - Parameter measure: Returns the number of bytes that were written, and that are free.
    func look(_ progress: VaultProgress, _ measure: () -> (written: Int, free: Int)?) {
        guard progress.phase == .reading, let total = progress.total, total > 0,
            progress.done > total / Self.least, progress.done < total
        else { return }
        let isTime = state.withLock { state in
            guard progress.done >= state.next else { return false }
            state.next = progress.done + total / Self.looks
            return true
        }
        guard isTime, let (written, free) = measure() else { return }
        let rest = Double(written) * Double(total - progress.done) / Double(progress.done)
        // Only a clear shortage ends an export: the estimate may be too high by a quarter.
        guard rest * 0.75 > Double(free) else { return }
        state.withLock { $0.shortage = Shortage(needed: Int(min(rest, 1e18)), free: free) }
    }
}
