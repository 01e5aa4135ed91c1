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
    /// numbered from 1. They come type by type, in the order of the identifiers, and the batches of a type span by span,
    /// in the order of time; those without a time come last. The same query over the same content always returns the
    /// same batches. Types that the store does not have produce no batch.
    ///
    /// - Throws: While batches are requested, what prevents the store from being read; a store that detects a
    ///   change of its content throws instead of returning batches that do not belong together.
    func batches(_ query: BatchQuery) -> BatchSequence

    /// Returns what `batches(_:)` would return, without the samples.
    @concurrent func plan(_ query: BatchQuery) async throws -> [PlannedBatch]

    /// Returns whole batches as the store has them: all that may hold a requested sample, and perhaps others.
    ///
    /// They come type by type, in the order of the identifiers. The batches of a type come span by span, in the order
    /// of time or from the latest on, as requested; those without a time come last. The parts of a span come one after
    /// the other. No sample of a span starts before one of an earlier span.
    ///
    /// - Throws: While batches are requested, what prevents the store from being read.
    func spans(_ request: SpanRequest) -> BatchSequence

    /// Returns the facts that are stated once about the person: date of birth, sex, blood type.
    ///
    /// - Throws: What prevents the store from being read.
    @concurrent func characteristics() async throws -> Characteristics

    /// Returns the paths of the files that belong to the samples: electrocardiograms, routes, clinical records.
    ///
    /// - Parameter folder: The folder that they are in, as the source names it: `electrocardiograms`.
    @concurrent func files(in folder: String) async throws -> [StoreFile]

    /// Returns the bytes of a file.
    ///
    /// - Throws: What prevents the file from being read.
    @concurrent func bytes(of file: StoreFile) async throws -> [UInt8]
}

/// A file that belongs to the samples of a store.
public struct StoreFile: Sendable, Hashable {
    /// Its path in the source: `electrocardiograms/ecg_2024-02-29.csv`.
    public let path: String
    /// Its length in bytes.
    public let length: Int
    /// What the store finds it by.
    public let handle: String

    /// Creates a file.
    public init(path: String, length: Int, handle: String? = nil) {
        self.path = path
        self.length = length
        self.handle = handle ?? path
    }
}

/// A store has no such file.
public struct NoSuchFile: Error, Sendable, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}
    /// What happened, in a printable line.
    public var description: String { "the store has no such file" }
}

extension HealthStore {
    /// Reads all batches and discards the samples.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        var plan: [PlannedBatch] = []
        for try await batch in batches(query) { plan.append(PlannedBatch(batch)) }
        return plan
    }

    /// Reads the batches of the types and sorts them.
    public func spans(_ request: SpanRequest) -> BatchSequence {
        BatchSequence { SortedSpans(batches(BatchQuery(types: request.types)), request) }
    }

    /// None.
    @concurrent public func characteristics() async throws -> Characteristics { Characteristics([:]) }

    /// None.
    @concurrent public func files(in folder: String) async throws -> [StoreFile] { [] }

    /// Throws ``NoSuchFile``.
    @concurrent public func bytes(of file: StoreFile) async throws -> [UInt8] { throw NoSuchFile() }

    /// Returns the bytes of the file with a path, such as that of a workout's route or of a clinical record.
    ///
    /// - Throws: ``NoSuchFile``; what prevents the file from being read.
    public func bytes(ofFileAt path: String) async throws -> [UInt8] {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        guard let file = try await files(in: folder).first(where: { $0.path == path }) else {
            throw NoSuchFile()
        }
        return try await bytes(of: file)
    }

    /// The types that the store has samples of, with counts and extents.
    public func sampleTypes() async throws -> [TypeExtent] { try await contents().types }

    /// The rule for the days of the store: those in the zone of the export.
    public func days() async throws -> Days { try await contents().days }

    /// Returns the earliest start of a sample of a type.
    ///
    /// - Returns: nil if the store has none with a start.
    public func oldestDate<Sample>(of type: SampleType<Sample>) async throws -> Timestamp? {
        try await contents().extent(of: type.erased)?.first
    }

    /// The names of the apps and devices that recorded samples.
    public func sources() async throws -> [String] { try await contents().sources }
}
