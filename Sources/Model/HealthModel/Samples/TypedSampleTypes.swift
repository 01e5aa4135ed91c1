extension SampleType where Sample: HealthSample {
    /// Creates the type with this exact identifier, known or unknown.
    ///
    /// - Returns: nil if the identifier is of another kind, such as a category for a quantity.
    public init?(_ identifier: String) {
        let type = AnySampleType(identifier)
        guard Sample.kind == nil || type.kind == Sample.kind else { return nil }
        self.init(unchecked: type)
    }

    /// Returns the known type with an identifier or short name: `heartRate`.
    ///
    /// - Throws: ``HealthTypesError`` if no known type of this kind has the name.
    public static func named(_ name: String) throws(HealthTypesError) -> Self {
        let type = try AnySampleType.named(name)
        guard let typed = Self(type.identifier) else { throw HealthTypesError(.unknownSampleType, name) }
        return typed
    }
}

extension SampleType where Sample == AnySample {
    /// Creates a type whose samples are read as ``AnySample``.
    public init(_ type: AnySampleType) { self.init(unchecked: type) }
}
