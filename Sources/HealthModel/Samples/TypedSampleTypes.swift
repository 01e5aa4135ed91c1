extension SampleType where Sample: HealthSample {
    /// The type with this identifier, exactly as it is written, whether it is known or not.
    ///
    /// - Returns: nil if the identifier is of another kind: that of a category, for a quantity.
    public init?(_ identifier: String) {
        let type = AnySampleType(identifier)
        guard Sample.kind == nil || type.kind == Sample.kind else { return nil }
        self.init(unchecked: type)
    }

    /// Returns the known type that a person means by an identifier or a short name: `heartRate`.
    ///
    /// - Throws: ``UnknownSampleType`` for a name that no known type of this kind has.
    public static func named(_ name: String) throws(UnknownSampleType) -> Self {
        let type = try AnySampleType.named(name)
        guard let typed = Self(type.identifier) else { throw UnknownSampleType(name: name) }
        return typed
    }
}

extension SampleType where Sample == AnySample {
    /// A type whose samples are read as ``AnySample``.
    public init(_ type: AnySampleType) { self.init(unchecked: type) }
}
