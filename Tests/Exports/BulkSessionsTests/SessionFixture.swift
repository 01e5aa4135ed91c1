import BulkSessions
import HealthExport
import HealthModel
import HealthStoreTesting
import SampleBatches
import Synchronization
import SystemIO
import Testing

/// A store with few types, and what sessions over it are tried with.
enum SessionFixture {
    /// The samples that most tests of sessions are about: of each type a few in each month of five years.
    static let types: [AnySampleType] = [.heartRate, .stepCount, .activeEnergyBurned]

    static let document: String = {
        var text = "<HealthData locale=\"en_US\">\n <ExportDate value=\"2025-01-01 00:00:00 +0000\"/>\n"
        for (kind, type) in (types + [.bodyMass]).enumerated() {
            for month in 0..<60 {
                for day in [3, 9, 27] {
                    let start = "\(2020 + month / 12)-\(padded(month % 12 + 1))-\(padded(day)) 08:00:00 +0000"
                    text +=
                        " <Record type=\"\(type.identifier)\" sourceName=\"Phone\" startDate=\"\(start)\" "
                    text += "endDate=\"\(start)\" value=\"\(kind * 1000 + month)\"/>\n"
                }
            }
        }
        return text + "</HealthData>\n"
    }()

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static func store(seed: String = "1") -> InMemoryStore {
        InMemoryStore(document: document, fingerprint: StoreFingerprint(["seed": seed]))
    }

    /// The positions of all samples of some types.
    static func positions(of types: [AnySampleType] = types) async throws -> [Int] {
        var positions: [Int] = []
        for try await batch in store().batches(BatchQuery(types: types)) {
            positions += batch.samples.map(\.position)
        }
        return positions.sorted()
    }
}

extension BulkExportSessionIdentifier {
    static let test = Self("test-session")
}

/// Notes which samples it was given, and does with a batch what it is told to.
struct RecordingProcessor: BatchProcessor {
    /// What is shared by all copies.
    final class Log: Sendable {
        let batches = Mutex<[SampleBatch.Key]>([])
        let samples = Mutex<[Int]>([])
        let active = Mutex<(now: Int, most: Int)>((0, 0))

        var positions: [Int] { samples.withLock { $0.sorted() } }
        var keys: [SampleBatch.Key] { batches.withLock { $0 } }
    }

    var identifier = "recording"
    let log = Log()
    /// Is asked before a batch is processed; what it throws is the batch's failure.
    var before: @Sendable (_ number: Int, SampleBatch.Key) async throws -> Void = { _, _ in }

    func process(_ batch: SampleBatch, of sampleType: AnySampleType) async throws -> SampleBatch.Key {
        let key = batch.key
        let positions = batch.samples.map(\.position)
        #expect(batch.samples.allSatisfy { $0.sampleType == sampleType })
        log.active.withLock { active in
            active.now += 1
            active.most = max(active.most, active.now)
        }
        defer { log.active.withLock { $0.now -= 1 } }
        let number = log.batches.withLock { batches in
            batches.append(key)
            return batches.count - 1
        }
        try await before(number, key)
        log.samples.withLock { $0 += positions }
        return key
    }
}

/// What a processor fails with.
struct ProcessorFailure: Error {
    let secret = "61 beats"
}

extension BulkExportOutputs {
    /// All outputs up to the end.
    func all() async throws -> [Output] {
        var outputs: [Output] = []
        for try await output in self { outputs.append(output) }
        return outputs
    }
}
