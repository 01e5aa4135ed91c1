import AppleHealthExport
import ExportGenerator
import FolderTesting
import Glibc
import HealthArchive
import HealthModel
import HealthStoreTesting
import Synchronization
import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Reading a store beside other work")
struct StoreConcurrencyTests {
    /// A document without an end, which counts how often it is read.
    private final class EndlessDocument: ByteStream {
        private let reads: Counter
        private let text = Array("<Record type=\"HKQuantityTypeIdentifierStepCount\" value=\"1\"/>\n".utf8)
        private var place = 0

        init(_ reads: Counter) { self.reads = reads }

        var crc32: UInt32 { 0 }

        func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
            let head = Array("<HealthData>\n".utf8)
            for index in range {
                target[index] = place < head.count ? head[place] : text[(place - head.count) % text.count]
                place += 1
            }
            reads.count.withLock { $0 += 1 }
            return range.count
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
        var hasBegun: Bool { count.withLock { $0 > 0 } }
    }

    private func store(_ counter: Counter) -> ExportStore {
        ExportStore(named: "endless", facts: StoreFingerprint()) { EndlessDocument(counter) }
    }

    @Test(
        "a cancelled pass over a document without an end ends, and says that it was cancelled",
        arguments: 0..<3)
    func cancelling(operation: Int) async {
        let counter = Counter()
        let store = store(counter)
        let task = Task {
            switch operation {
            case 0: _ = try await store.contents()
            case 1: _ = try await store.plan(BatchQuery())
            default: for try await _ in store.batches(BatchQuery(types: [.heartRate])) {}
            }
        }
        while !counter.hasBegun { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// A document that is read only once the main actor has done something else.
    private final class PatientDocument: ByteStream {
        private let base = MemoryStream(Array("<HealthData>\n<Record type=\"T\"/>\n</HealthData>".utf8))
        private let turn: Turn

        init(_ turn: Turn) { self.turn = turn }

        var crc32: UInt32 { 0 }

        func read(into target: inout MutableSpan<UInt8>, _ range: Range<Int>) -> Int {
            // On the main actor it would wait in vain.
            for _ in 0..<30_000 where !turn.hasCome.withLock({ $0 }) { usleep(1000) }
            turn.wasMissed.withLock { $0 = $0 || !turn.hasCome.withLock { $0 } }
            return base.read(into: &target, range)
        }
    }

    private final class Turn: Sendable {
        let hasCome = Mutex(false)
        let wasMissed = Mutex(false)
    }

    @Test("a store is not read on the main actor that asks", arguments: 0..<3)
    @MainActor func mainActor(operation: Int) async throws {
        let turn = Turn()
        let store = ExportStore(named: "patient", facts: StoreFingerprint()) { PatientDocument(turn) }
        let other = Task { @MainActor in turn.hasCome.withLock { $0 = true } }
        switch operation {
        case 0: _ = try await store.contents()
        case 1: _ = try await store.plan(BatchQuery())
        default: for try await _ in store.batches(BatchQuery()) {}
        }
        await other.value
        #expect(turn.hasCome.withLock { $0 } && !turn.wasMissed.withLock { $0 })
    }

    @Test("a wrong passphrase can be told from other failures")
    func wrongPassphrase() async throws {
        let folder = try TemporaryFolder()
        _ = try await StoreUnderTest.container.open(in: folder.path)
        let bytes = Array("incorrect horse battery".utf8)
        let error = #expect(throws: VaultError.self) {
            try ArchiveStore(
                container: folder.path + "/archive", key: .passphrase(try Passphrase(preparing: bytes.span)))
        }
        #expect(error?.isWrongPassphrase == true)
        #expect("\(try #require(error))" == "\(folder.path)/archive: wrong passphrase")
        #expect(!VaultError(.targetExists).isWrongPassphrase)
    }

    @Test("an error's description can be printed, whatever a name holds")
    func descriptions() {
        let error = VaultError(.source(ExportError(.unsafeName, file: "a\u{1b}[2J.zip", detail: "b\nc")))
        #expect("\(error)" == #"a\u{1b}[2J.zip: a file name is not safe: b\u{a}c"#)
        #expect(
            "\(VaultError(.io(SystemError(call: .open, path: "x", number: ENOENT))))"
                == "x: no such file or folder")
    }
}
