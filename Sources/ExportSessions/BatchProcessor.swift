public import HealthModel
public import SampleBatches

/// A type that processes the batches of a session.
///
/// A batch may be processed a second time, if the program ended before it could record that the work was done. A
/// processor that writes files should therefore name them after the batch, see ``EntryPath/batch(_:isGone:)``.
public protocol BatchProcessor: Sendable {
    /// The result of a batch; `Void` if there is nothing to pass on.
    associatedtype Output: Sendable

    /// What the processor is called in the state of a session, for instance `com.example.upload`.
    ///
    /// A session is continued only with a processor of the same identifier. Change it when batches that were processed before
    /// would have to be processed again.
    var identifier: String { get }

    /// Processes the samples of a batch.
    ///
    /// - Parameters:
    ///   - batch: The batch; its `samples` are in the order of the source.
    ///   - sampleType: The type of the samples.
    /// - Throws: The reason why the batch could not be processed; it is then one of the session's failed batches, and
    ///   the others are processed all the same. A `CancellationError` leaves the batch pending.
    func process(_ batch: SampleBatch, of sampleType: AnySampleType) async throws -> Output
}

/// A processor that passes the samples on unchanged.
public struct IdentityBatchProcessor: BatchProcessor {
    /// Makes a processor.
    public init() {}

    /// `identity`.
    public var identifier: String { "identity" }

    /// Returns the samples.
    public func process(_ batch: SampleBatch, of sampleType: AnySampleType) -> Samples<AnySample> {
        batch.samples
    }
}

extension BatchProcessor where Self == IdentityBatchProcessor {
    /// The processor that passes the samples on unchanged.
    public static var identity: IdentityBatchProcessor { IdentityBatchProcessor() }
}
