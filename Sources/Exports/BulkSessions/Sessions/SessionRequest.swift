import ByteText
import HealthArchive
import HealthExport
import HealthModel
import SampleBatches
import SystemIO

/// A request for a session.
struct SessionRequest: Sendable {
    let id: BulkExportSessionIdentifier
    let types: [AnySampleType]
    let startDate: ExportSessionStartDate
    let endDate: Timestamp?
    let batchSize: ExportSessionBatchSize
    /// The identifier of the batch processor.
    let processor: String

    /// The sorted identifiers of the types, without duplicates.
    var typeNames: [String] { Set(types.map { ExactName($0.identifier) }).sorted().map(\.text) }

    /// Returns the terms of a new session.
    func terms(_ store: any HealthStore) async throws -> SessionDescriptor.Terms {
        let contents = try await store.contents()
        let end = endDate ?? contents.exportDate ?? Timestamp(seconds: SystemClock.now(), offsetMinutes: 0)
        return SessionDescriptor.Terms(
            identifier: id.text, processor: processor, startRule: startDate.description,
            start: try startDate.start(before: end), end: end, batchSize: batchSize,
            fingerprint: try KeyedFingerprint(contents.fingerprint))
    }

    /// Checks that an existing session matches the request.
    ///
    /// - Throws: `SessionError`; errors of the store.
    func check(_ session: SessionDescriptor, _ store: any HealthStore) async throws {
        var differences: [String] = []
        let terms = session.terms
        if !session.types.isSubset(of: typeNames.map { ExactName($0) }) { differences.append("sampleTypes") }
        if terms.startRule != startDate.description { differences.append("startDate") }
        if let endDate, endDate.seconds != terms.end.seconds { differences.append("endDate") }
        if terms.batchSize != batchSize { differences.append("batchSize") }
        guard differences.isEmpty else { throw SessionError.differentOptions(differences) }
        var comparison = try terms.fingerprint.compare(await store.fingerprint())
        if comparison == .unknown {
            comparison = try terms.fingerprint.compare(await store.contents().fingerprint)
        }
        guard comparison == .same else { throw SessionError.sourceChanged }
    }
}
