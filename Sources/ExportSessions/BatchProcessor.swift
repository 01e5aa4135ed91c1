public import HealthModel

/// What is done with each batch of a session.
///
/// A batch may be processed a second time, where the program ended between the work and the note that it was done. A
/// processor that writes files should therefore name them after the batch, see ``EntryPath/batch(_:)``.
public protocol BatchProcessor: Sendable {
    /// What becomes of a batch; `Void` where nothing is to be handed on.
    associatedtype Output: Sendable

    /// What the processor is called in the state of a session, for instance `com.example.upload`.
    ///
    /// A session is continued only with a processor of the same identifier. Change it when batches that were processed before
    /// would have to be processed again.
    var identifier: String { get }

    /// Processes the samples of a batch.
    ///
    /// - Parameters:
    ///   - samples: The samples, in the order of the source.
    ///   - sampleType: What they are samples of.
    /// - Throws: What keeps the batch from being processed; it is then one of the session's failed batches, and the
    ///   others are processed all the same. A `CancellationError` leaves the batch pending.
    func process(_ samples: consuming Samples, of sampleType: SampleType) async throws -> Output
}

/// Hands the samples on as they are.
public struct IdentityBatchProcessor: BatchProcessor {
    /// Makes one.
    public init() {}

    /// `identity`.
    public var identifier: String { "identity" }

    /// Returns the samples.
    public func process(_ samples: consuming Samples, of sampleType: SampleType) -> Samples { samples }
}

extension BatchProcessor where Self == IdentityBatchProcessor {
    /// Hands the samples on as they are.
    public static var identity: IdentityBatchProcessor { IdentityBatchProcessor() }
}
