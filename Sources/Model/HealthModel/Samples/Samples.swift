public import SampleBatches

/// Samples of one type, each decoded when it is accessed.
public struct Samples<Sample: HealthSample>: Sendable, RandomAccessCollection {
    @usableFromInline let storage: SampleStorage

    init(_ storage: SampleStorage) {
        self.storage = storage
    }

    /// The type of the samples.
    public var type: AnySampleType { storage.type }

    /// Calls `body` with the start, in seconds since 1970, and the identity of each sample.
    package func forEachIdentity(_ body: (Int?, UInt128) -> Void) {
        let identities = storage.parts.map { RowIdentities($0.batch) }
        for index in indices {
            let place = storage.places[index]
            body(start(at: index), identities[place.part].identity(at: place.cell))
        }
    }

    /// Returns the start of a sample in seconds since 1970, for a day its midnight in UTC; nil if there is none.
    package func start(at index: Int) -> Int? {
        let start = storage.places[index].start
        return start == .min ? nil : start
    }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of samples.
    @inlinable public var endIndex: Int { storage.count }

    /// The sample at an index.
    @inlinable public subscript(index: Int) -> Sample {
        precondition(index >= 0 && index < storage.count, "an index is below the number of samples")
        return Sample(row: SampleRow(storage, index))
    }
}

extension SampleBatch {
    /// The type of its samples.
    public var sampleType: AnySampleType {
        AnySampleType(AnySampleType.identifier(ofElement: key.element, type: key.type) ?? key.element)
    }

    /// Returns the samples of the batch as a type, in the order of the source: `batch.samples(of: .heartRate)`.
    ///
    /// - Returns: nil if it contains samples of another type.
    public func samples<Sample>(of type: SampleType<Sample>) -> Samples<Sample>? {
        sampleType == type.erased ? Samples(SampleStorage([self])) : nil
    }

    /// The samples of the batch in the order of the source, each decoded when it is accessed.
    public var samples: Samples<AnySample> { Samples(SampleStorage([self])) }
}
