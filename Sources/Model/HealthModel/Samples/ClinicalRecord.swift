public import CivilTime

/// A medical record from an institution, a FHIR resource in a separate file.
public struct ClinicalRecord: HealthSample {
    /// Any kind: an export states the FHIR resource and not HealthKit's type.
    public static var kind: AnySampleType.Kind? { nil }
    /// The row.
    public let row: SampleRow
    /// Creates a record from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The type as written, usually that of the FHIR resource: `Observation`.
    public var resourceType: String? { row["type"] }
    /// The identifier of the resource.
    public var identifier: String? { row["identifier"] }
    /// The version of FHIR: `4.0.1`.
    public var fhirVersion: String? { row["fhirVersion"] }
    /// The URL of the institution's server.
    public var sourceURL: String? { row["sourceURL"] }
    /// When the phone received it.
    public var receivedDate: Timestamp? { row.time("receivedDate") }
    /// The path of the resource's file in the export: `clinical-records/Observation-<UUID>.json`.
    public var filePath: String? { row["resourceFilePath"].map { String($0.drop { $0 == "/" }) } }
}

extension SampleType: ClinicalTypeNames where Sample == ClinicalRecord {
    /// Records of one FHIR resource type: `.clinicalRecords(of: "Observation")`.
    public static func clinicalRecords(of resourceType: String) -> Self {
        Self(unchecked: AnySampleType("ClinicalRecord/" + resourceType))
    }
}
