import BulkSessions
import FolderTesting
import Glibc
import HealthArchive
import HealthExport
import Testing

@testable import SystemIO

@Suite("A session whose state cannot be written")
struct SessionFaultTests {
    private func exporter(_ folder: BytePath) -> BulkHealthExporter {
        BulkHealthExporter(SessionFixture.store(), stateFolder: StateFolder(folder))
    }

    /// Does all of a session, with a plan of faults, and then the rest without one.
    private func tryAll(_ plan: FaultPlan, _ folder: BytePath) async throws -> RecordingProcessor.Log {
        let processor = RecordingProcessor()
        do {
            try await FaultPlan.$current.withValue(plan) {
                let session = try await exporter(folder).session(
                    withId: .test, for: SessionFixture.types, using: processor)
                let outputs = try session.start(concurrencyLevel: .disabled)
                do {
                    for try await _ in outputs {}
                    #expect(session.state == .completed)
                } catch {
                    #expect(error is VaultError)
                    #expect(session.state == .paused && session.interruption != nil)
                    // It can be started again as it is; what was torn is mended first.
                    if processor.log.keys.count.isMultiple(of: 2) {
                        _ = try? await session.start(concurrencyLevel: .disabled).all()
                    }
                }
            }
        } catch {
            #expect(error is VaultError || error is SessionError, "\(error)")
        }
        let session = try await reopened(folder, processor)
        _ = try await session.start(concurrencyLevel: .disabled).all()
        #expect(await session.finished() == .completed)
        return processor.log
    }

    /// The session once more; a run that has just ended holds the file for another instant.
    private func reopened(
        _ folder: BytePath, _ processor: RecordingProcessor
    ) async throws -> BulkExportSession<RecordingProcessor> {
        while true {
            do {
                return try await exporter(folder).session(
                    withId: .test, for: SessionFixture.types, using: processor)
            } catch SessionError.inUse { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    static let calls: [SystemCall] = [.open, .write, .fsync, .flock, .ftruncate, .mkdir, .fstat]

    @Test("ends with the error, and the next run does what is missing", arguments: calls)
    func everyCall(_ call: SystemCall) async throws {
        let counting = FaultPlan([call], at: .max, .fail(EIO))
        let place = try TemporaryFolder()
        _ = try await tryAll(counting, place.path)
        let total = try await SessionFixture.positions()
        for number in Set((0..<min(counting.count, 12)) + [counting.count - 1, counting.count / 2])
        where number >= 0 {
            for effect in [FaultPlan.Effect.fail(EIO), .fail(ENOSPC), .fail(EINTR), .short(1)] {
                let folder = try TemporaryFolder()
                let log = try await tryAll(FaultPlan([call], at: number, effect), folder.path)
                // At least once, and twice only where the note of it was lost.
                #expect(Set(log.positions) == Set(total), "\(call) \(number) \(effect)")
                #expect(log.positions.count <= total.count + 6)
            }
        }
    }

    @Test("a full disk, too, and stays readable")
    func fullDisk() async throws {
        for number in [0, 1, 5, 100] {
            let folder = try TemporaryFolder()
            let log = try await tryAll(
                FaultPlan([.write], at: number, .fail(ENOSPC), repeats: true), folder.path)
            #expect(try await Set(log.positions) == Set(SessionFixture.positions()))
        }
    }
}
