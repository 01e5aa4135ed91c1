public import SampleBatches

/// Where samples come from: what HealthKit's store is on a phone.
///
/// Apple's export, our own archives and generated exports are such stores. Whoever makes another one holds it
/// against `StoreConformance`, which comes with the generator of exports.
///
/// Reading a store takes time: it runs on the pool of threads and never on the caller's actor, and ends with
/// `CancellationError` soon after its task is cancelled.
public protocol HealthStore: Sendable {
    /// What is in the store.
    ///
    /// The same answer each time; a store that has to read itself through for it does so once.
    ///
    /// - Throws: What keeps the store from being read.
    @concurrent func contents() async throws -> StoreContents

    /// What tells this store's content from any other, as far as it is known without reading it through.
    ///
    /// Part of what `contents()` says of the fingerprint, or all of it.
    @concurrent func fingerprint() async throws -> StoreFingerprint

    /// The samples that are asked for, batch by batch.
    ///
    /// Every sample that the query covers is in exactly one batch. A batch holds samples of one type whose start lies
    /// in one calendar span; a span with more samples than a batch takes comes in parts, numbered from 1. The same
    /// query over the same content always gives the same batches in the same order, and memory does not grow with
    /// their number. Types that the store does not have give no batch.
    ///
    /// - Throws: While batches are taken, what keeps the store from being read; a store that notices that its content
    ///   has changed says so instead of giving batches that do not belong together.
    func batches(_ query: SampleQuery) -> BatchSequence

    /// What `batches(_:)` would give, without the samples.
    @concurrent func plan(_ query: SampleQuery) async throws -> [PlannedBatch]
}

extension HealthStore {
    /// Goes through the batches and forgets the samples.
    @concurrent public func plan(_ query: SampleQuery) async throws -> [PlannedBatch] {
        var plan: [PlannedBatch] = []
        for try await batch in batches(query) { plan.append(PlannedBatch(batch)) }
        return plan
    }

    /// The types that the store has samples of, with counts and extents.
    public func sampleTypes() async throws -> [TypeExtent] { try await contents().types }

    /// The samples of one type whose start lies in a range, batch by batch.
    public func samples(
        of type: SampleType, from start: Timestamp? = nil, to end: Timestamp? = nil,
        batchSize: BatchOptions = .automatic
    ) -> BatchSequence {
        batches(SampleQuery(types: [type], from: start, to: end, batchSize: batchSize))
    }

    /// The earliest start of a sample of a type.
    ///
    /// - Returns: nil where the store has none with a start.
    public func oldestDate(of type: SampleType) async throws -> Timestamp? {
        try await contents().extent(of: type)?.first
    }

    /// What is said once about the person: date of birth, sex, blood type.
    public func characteristics() async throws -> [Characteristic] { try await contents().characteristics }

    /// The names of the apps and devices that recorded samples.
    public func sources() async throws -> [String] { try await contents().sources }
}
