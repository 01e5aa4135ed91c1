import HealthArchive
import Testing

@testable import DriveExports

@Suite("Free space while an export is written")
struct SpaceWatchTests {
    /// Returns the shortage after the progress of an export that writes a tenth of what it reads.
    private func shortage(free: Int, upTo done: Int) -> SpaceWatch.Shortage? {
        let watch = SpaceWatch()
        for bytes in stride(from: 0, through: done, by: 1000) {
            watch.look(VaultProgress(.reading, done: bytes, total: 1_000_000)) {
                (written: bytes / 10, free: free - bytes / 10)
            }
            if let shortage = watch.shortage { return shortage }
        }
        return nil
    }

    @Test("is enough if the rest fits")
    func enough() {
        #expect(shortage(free: 100_000, upTo: 999_000) == nil)
        #expect(shortage(free: 80_000, upTo: 180_000) == nil, "an estimate may be too high by a quarter")
    }

    @Test("is short before the drive is full")
    func short() throws {
        let found = try #require(shortage(free: 50_000, upTo: 300_000))
        #expect(found.free > 30_000 && found.needed > found.free)
    }

    @Test("is not estimated from the beginning alone, nor in other phases")
    func early() {
        #expect(shortage(free: 10, upTo: 100_000) == nil)
        let watch = SpaceWatch()
        watch.look(VaultProgress(.readingBack, done: 500, total: 1000)) { (written: 500, free: 0) }
        #expect(watch.shortage == nil)
    }
}
