package import CommandLineKit
package import HealthVault
import SystemIO

/// The options for FHIR resources.
package struct FHIRArguments: Sendable {
    private var packaging: FHIROptions.Packaging?
    private var map: BytePath?
    private var patient: String?

    /// A file of mappings has one line or a few for each type.
    private static let largestMap = 1 << 20

    package init() {}

    package static let elements: [GrammarElement<FHIRArguments>] = [
        .option(
            \.packaging, "fhir", value: "FORM", default: "ndjson",
            "files of FHIR: ndjson for bulk data, or bundle for transactions", as: .choice),
        .option(
            \.map, "fhir-map", value: "FILE",
            "codes and units of types, as JSON, instead of the built-in ones",
            as: .file),
        .option(
            \.patient, "subject", value: "ID", "write a Patient with this id, and refer to it as the subject",
            as: ValueParser(expected: "at most 64 letters, digits, hyphens and full stops") { text in
                FHIRSubject.patient(id: text).isValid ? text : nil
            }),
    ]

    /// Refuses the options for other formats.
    package func validate(_ formats: [ExportFormat]) throws(UsageError) {
        guard !formats.contains(.fhir) else { return }
        for (name, isGiven) in [
            ("--fhir", packaging != nil), ("--fhir-map", map != nil), ("--subject", patient != nil),
        ] where isGiven {
            throw UsageError(
                .invalidCombination, "\(name) is for FHIR resources", hint: "add --format fhir")
        }
    }

    /// Reads the file of mappings, and returns the options.
    ///
    /// - Throws: `UsageError` for a mistake in the file, `SystemError` if it cannot be read.
    package func options() throws -> FHIROptions {
        var options = FHIROptions()
        options.packaging = packaging ?? .ndjson
        options.patientID = patient
        guard let map else { return options }
        let file = try FileDescriptor(opening: map, .read)
        let size = try file.status().size
        guard size <= Self.largestMap else {
            throw UsageError(.invalidValue, "'\(map)' is too large for a file of mappings")
        }
        do { try options.mapping.read(try file.bytes(at: 0, count: size)) } catch let error as FHIRError {
            throw UsageError(
                .invalidValue, "'\(map)': \(error)", hint: "the page FHIR of the documentation shows a file")
        }
        return options
    }
}
