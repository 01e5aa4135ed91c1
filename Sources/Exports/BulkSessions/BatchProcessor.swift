public import HealthModel
public import SampleBatches

/// A type that processes the batches of a session.
///
/// A batch may be processed again if the program ended before it could record that the work was done. A processor that
/// writes files should therefore name them after the batch; see ``EntryPath/batch(_:isGone:)``.
public protocol BatchProcessor: Sendable {
    /// The output for a batch; `Void` if there is none.
    associatedtype Output: Sendable

    /// The processor's name in the state of a session, such as `com.example.upload`.
    ///
    /// A session can only be continued by a processor with the same identifier. Change it if batches that were already
    /// processed would have to be processed again.
    var identifier: String { get }

    /// Processes the samples of a batch.
    ///
    /// - Parameters:
    ///   - batch: The batch; its `samples` are in the order of the source.
    ///   - sampleType: The type of the samples.
    /// - Throws: The reason why the batch could not be processed. The session marks the batch as failed and goes on to
    ///   the others. After a `CancellationError`, the batch keeps its previous result or stays pending.
    func process(_ batch: SampleBatch, of sampleType: AnySampleType) async throws -> Output
}

/// A processor that passes the samples on unchanged.
public struct IdentityBatchProcessor: BatchProcessor {
    /// Creates a processor.
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
