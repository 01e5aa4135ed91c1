public import ByteText
public import SampleBatches

/// A source of samples, like HealthKit's store on a phone.
///
/// Apple's exports, archives of this program and generated exports are stores. New stores must pass `StoreConformance`,
/// which is part of the `ExportGenerator` library.
///
/// Reading a store takes time: it runs on the thread pool, never on the caller's actor, and throws `CancellationError`
/// soon after its task is cancelled.
public protocol HealthStore: Sendable {
    /// Returns the contents of the store.
    ///
    /// The result is always the same; a store that must read all of its data to find it does so only once.
    ///
    /// - Throws: An error if the store cannot be read.
    @concurrent func contents() async throws -> StoreContents

    /// Returns the facts that distinguish this store's content, as far as they are known without reading all of it.
    ///
    /// It is part of the fingerprint in `contents()`, or all of it.
    @concurrent func fingerprint() async throws -> StoreFingerprint

    /// Returns the requested samples, batch by batch.
    ///
    /// Every sample that the query covers is in exactly one batch. A batch contains samples of one type that start in
    /// one calendar span; a span with too many samples for one batch is split into parts, numbered from 1. Batches are
    /// ordered by type identifier, then by span in chronological order; batches without a time come last. The same
    /// query over the same content always returns the same batches. Types that the store does not have produce no
    /// batches.
    ///
    /// - Throws: While iterating, an error if the store cannot be read; a store that detects a change of its content
    ///   throws instead of returning inconsistent batches.
    func batches(_ query: BatchQuery) -> BatchSequence

    /// Returns what `batches(_:)` would return, without the samples.
    @concurrent func plan(_ query: BatchQuery) async throws -> [PlannedBatch]

    /// Returns whole batches as the store has them: all that may contain a requested sample, and possibly others.
    ///
    /// Batches are ordered by type identifier, a leading type before all others, then by span, oldest or newest first as
    /// requested; batches without a time come last. The parts of a span are consecutive. No sample of a span starts
    /// before one of an earlier span.
    ///
    /// - Throws: While iterating, an error if the store cannot be read.
    func spans(_ request: SpanRequest) -> BatchSequence

    /// Returns the parts of one span again, as ``spans(_:)`` does; nil if that would mean reading everything again.
    ///
    /// A span of very many samples is then read several times, instead of being kept in memory.
    ///
    /// - Parameters:
    ///   - span: The key of a part of the span.
    ///   - starts: When samples start that are looked for, in seconds since 1970; parts without any may be left out. Those
    ///     without a start are at `Int.min`. Nil for all parts.
    func spanAgain(_ span: SampleBatch.Key, starts: ClosedRange<Int>?) -> BatchSequence?

    /// Returns a sum of each span of some types, which tells whether its samples changed; nil if the store would have to
    /// read them.
    ///
    /// The spans are those of `spans(_:)`.
    ///
    /// - Parameter types: The types; nil for all.
    /// - Throws: An error if the store cannot be read.
    @concurrent func spanSums(of types: [AnySampleType]?) async throws -> [SpanSum]?

    /// Makes the next pass over batches keep what it reads, if the store would otherwise have to read everything again for
    /// another one.
    func keepSamples()

    /// Returns whether the store is known to lack a part of what it was made from: what is not there was not necessarily
    /// removed.
    ///
    /// - Throws: An error if the store cannot be read.
    @concurrent func isPartial() async throws -> Bool

    /// Returns the facts about the person that the source states once: date of birth, sex, blood type.
    ///
    /// - Throws: An error if the store cannot be read.
    @concurrent func characteristics() async throws -> Characteristics

    /// Returns the paths of the files that belong to the samples: electrocardiograms, routes, clinical records.
    ///
    /// - Parameter folder: The folder that contains them, as named in the source: `electrocardiograms`.
    @concurrent func files(in folder: String) async throws -> [StoreFile]

    /// Returns the bytes of a file of at most ``StoreFile/largest``.
    ///
    /// - Throws: An error if the file cannot be read; ``HealthStoreError`` if it is longer.
    @concurrent func bytes(of file: StoreFile) async throws -> [UInt8]
}

/// A file that belongs to the samples of a store.
public struct StoreFile: Sendable, Hashable {
    /// Its path in the source: `electrocardiograms/ecg_2024-02-29.csv`.
    public let path: String
    /// Its length in bytes.
    public let length: Int
    /// The key by which the store finds it.
    public let handle: String

    /// The length of the largest file that is read as a whole, in bytes; real ones have a few megabytes.
    public static let largest = 32 << 20

    /// Creates a file.
    public init(path: String, length: Int, handle: String? = nil) {
        self.path = path
        self.length = length
        self.handle = handle ?? path
    }
}

extension HealthStore {
    /// Plans a query by reading all batches and discarding the samples.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        var plan: [PlannedBatch] = []
        for try await batch in batches(query) { plan.append(PlannedBatch(batch)) }
        return plan
    }

    /// Returns all batches of the types, read into memory and sorted.
    public func spans(_ request: SpanRequest) -> BatchSequence {
        BatchSequence { SortedSpans(batches(BatchQuery(request)), request) }
    }

    /// Returns false.
    @concurrent public func isPartial() async throws -> Bool { false }

    /// Returns nil: the samples must be read.
    @concurrent public func spanSums(of types: [AnySampleType]?) async throws -> [SpanSum]? { nil }

    /// Does nothing.
    public func keepSamples() {}

    /// Returns nil: the store is read front to back.
    public func spanAgain(_ span: SampleBatch.Key, starts: ClosedRange<Int>?) -> BatchSequence? { nil }

    /// Returns no characteristics.
    @concurrent public func characteristics() async throws -> Characteristics { Characteristics([:]) }

    /// Returns no files.
    @concurrent public func files(in folder: String) async throws -> [StoreFile] { [] }

    /// Throws ``HealthStoreError``.
    @concurrent public func bytes(of file: StoreFile) async throws -> [UInt8] {
        throw HealthStoreError(.noSuchFile)
    }

    /// Returns the bytes of the file at a path, such as a workout's route or a clinical record.
    ///
    /// - Throws: ``HealthStoreError`` if there is none, or it is longer than ``StoreFile/largest``; an error if it cannot be read.
    public func bytes(ofFileAt path: String) async throws -> [UInt8] {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        guard let file = try await files(in: folder).first(where: { $0.path == path }) else {
            throw HealthStoreError(.noSuchFile)
        }
        return try await bytes(of: file)
    }

    /// Returns the types that the store has samples of, with counts and extents.
    public func sampleTypes() async throws -> [TypeExtent] { try await contents().types }

    /// Returns the store's rule for days, which uses the time zone of the export.
    public func days() async throws -> Days { try await contents().days }

    /// Returns the earliest start of a sample of a type.
    ///
    /// - Returns: nil if no sample has a start.
    public func oldestDate<Sample>(of type: SampleType<Sample>) async throws -> Timestamp? {
        try await contents().extent(of: type.erased)?.first
    }

    /// Returns the names of the apps and devices that recorded samples.
    public func sources() async throws -> [String] { try await contents().sources }
}
