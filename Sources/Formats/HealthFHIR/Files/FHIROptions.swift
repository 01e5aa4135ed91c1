/// How samples are written as FHIR.
public struct FHIROptions: Sendable {
    /// The form of the files.
    public enum Packaging: String, Sendable, CaseIterable {
        /// A file for each type of resource, with a resource on each line, and a manifest: as the operation `$export` of
        /// FHIR Bulk Data gives them.
        case ndjson
        /// Bundles of at most 1,000 entries: transactions that create what a server does not have.
        case bundle
    }

    /// The form of the files.
    public var packaging = Packaging.ndjson
    /// The codes and units of types.
    public var mapping = FHIRMapping.standard
    /// The id of a `Patient` to write and to refer to; nil for none.
    public var patientID: String?

    /// Creates options.
    public init() {}

    /// The mapper for these options.
    var mapper: FHIRMapper {
        var mapper = FHIRMapper()
        mapper.mapping = mapping
        if let patientID { mapper.subject = .patient(id: patientID) }
        mapper.references = packaging == .bundle ? .urn : .relative
        return mapper
    }
}
