public import SampleBatches

/// A source of samples, like HealthKit's store on a phone.
///
/// Apple's export, our own archives and generated exports are such stores. A new one must pass
/// `StoreConformance`, which comes with the generator of exports.
///
/// Reading a store takes time: it runs on the pool of threads and never on the caller's actor, and ends with
/// `CancellationError` soon after its task is cancelled.
public protocol HealthStore: Sendable {
    /// Returns what is in the store.
    ///
    /// The result is always the same; a store that must read all of its data for it does so once.
    ///
    /// - Throws: What prevents the store from being read.
    @concurrent func contents() async throws -> StoreContents

    /// Returns what distinguishes this store's content from any other, as far as that is known without reading it
    /// all.
    ///
    /// It is part of the fingerprint in `contents()`, or all of it.
    @concurrent func fingerprint() async throws -> StoreFingerprint

    /// Returns the requested samples, batch by batch.
    ///
    /// Every sample that the query covers is in exactly one batch. A batch contains samples of one type whose start
    /// lies in one calendar span; a span with more samples than a batch may have is split into parts, which are
    /// numbered from 1. The same query over the same content always returns the same batches in the same order, and
    /// memory does not grow with their number. Types that the store does not have produce no batch.
    ///
    /// - Throws: While batches are requested, what prevents the store from being read; a store that detects a
    ///   change of its content throws instead of returning batches that do not belong together.
    func batches(_ query: SampleQuery) -> BatchSequence

    /// Returns what `batches(_:)` would return, without the samples.
    @concurrent func plan(_ query: SampleQuery) async throws -> [PlannedBatch]
}

extension HealthStore {
    /// Reads all batches and discards the samples.
    @concurrent public func plan(_ query: SampleQuery) async throws -> [PlannedBatch] {
        var plan: [PlannedBatch] = []
        for try await batch in batches(query) { plan.append(PlannedBatch(batch)) }
        return plan
    }

    /// The types that the store has samples of, with counts and extents.
    public func sampleTypes() async throws -> [TypeExtent] { try await contents().types }

    /// Returns the samples of one type whose start lies in a range, batch by batch.
    public func samples(
        of type: SampleType, from start: Timestamp? = nil, to end: Timestamp? = nil,
        batchSize: BatchOptions = .automatic
    ) -> BatchSequence {
        batches(SampleQuery(types: [type], from: start, to: end, batchSize: batchSize))
    }

    /// Returns the earliest start of a sample of a type.
    ///
    /// - Returns: nil if the store has none with a start.
    public func oldestDate(of type: SampleType) async throws -> Timestamp? {
        try await contents().extent(of: type)?.first
    }

    /// The facts that are stated once about the person: date of birth, sex, blood type.
    public func characteristics() async throws -> [Characteristic] { try await contents().characteristics }

    /// The names of the apps and devices that recorded samples.
    public func sources() async throws -> [String] { try await contents().sources }
}
