import ByteText
package import HealthFormats
import HealthModel
package import SampleBatches
package import SystemIO

/// Writes an export as FHIR resources in a folder.
package final class FHIRWriter: FormatWriter {
    private let files: any FormatFiles
    private let folder: BytePath
    private let mapper: FHIRMapper
    private let output: any FHIROutput
    private var encoder: ResourceEncoder
    private var gaps = FHIRGaps()
    private var earlier = SpanIdentities()
    private var clinical = ClinicalResources()
    private var characteristics = Characteristics([:])
    private var documents: [ClinicalDocument] = []
    /// The identities of the electrocardiograms.
    private var recordings: Set<UInt128> = []

    /// Makes a writer for files in a folder.
    package init(_ files: any FormatFiles, folder: BytePath, _ options: FHIROptions) {
        self.files = files
        self.folder = folder
        mapper = options.mapper
        encoder = ResourceEncoder(mapper)
        switch options.packaging {
        case .ndjson: output = NDJSONResources(files, folder)
        case .bundle: output = BundleResources(files, folder)
        }
    }

    package var makeEncoder: @Sendable () -> any FormatEncoder { { FHIREncoder() } }

    package func add(_ rows: EncodedRows, of key: SampleBatch.Key) throws {
        guard var rows = rows.form as? FHIRRows else { return }
        earlier.mark(&rows, of: key)
        switch key.element {
        case "ClinicalRecord": clinical.add(rows.batch)
        case "Me": addCharacteristics(rows.batch)
        default:
            gaps.add(.copies, rows.copyCount)
            try encoder.write(rows, &gaps) { type, identity, device, json in
                try output.add(type, identity, device, json)
            }
        }
    }

    private func addCharacteristics(_ batch: SampleBatch) {
        var values: [String: String] = [:]
        for sample in batch.samples {
            for name in sample.row.attributeNames { values[name] = sample[name] }
        }
        characteristics = Characteristics(values)
    }

    package func add(_ file: FormatFile, _ read: FileReading) throws {
        switch SideFileKind(file.name) {
        case .electrocardiogram: try addElectrocardiogram(file, read)
        case .clinicalResource: try addClinicalResource(file, read)
        case .other where ClinicalDocument.isName(file.name):
            documents.append(try ClinicalDocument(file, folder, files, read))
        case .route, .other: gaps.add(.files)
        }
    }

    private func addElectrocardiogram(_ file: FormatFile, _ read: FileReading) throws {
        let bytes = try file.bytes(read)
        guard let bytes, let recording = try? Electrocardiogram(csv: bytes, path: "\(file.name)"),
            let resource = try? mapper.resource(of: recording)
        else {
            gaps.add(.files)
            return
        }
        if recordings.insert(resource.identity).inserted {
            try output.add(resource.type, resource.identity, resource.device, resource.json.span)
        } else {
            gaps.add(.copies)
        }
    }

    private func addClinicalResource(_ file: FormatFile, _ read: FileReading) throws {
        guard clinical.isR4(file.name) else {
            gaps.add(clinical.isListed(file.name) ? .otherVersions : .unreadableResources)
            return
        }
        guard let bytes = try file.bytes(read), let resource = ClinicalResource(bytes) else {
            gaps.add(.unreadableResources)
            return
        }
        if clinical.insert(resource) {
            try output.add(resource)
        } else {
            gaps.add(.copies)
        }
    }

    package func finish(_ facts: FormatFacts) throws -> FormatLosses {
        for document in documents {
            let json = document.json(mapper, exportDate: facts.exportDate)
            try output.add("DocumentReference", document.identity, nil, json.span)
        }
        var patient: FHIRResource?
        if case .patient = mapper.subject { patient = try mapper.patient(characteristics) }
        try output.finish(patient: patient, exportDate: facts.exportDate, gaps)
        var losses = FormatLosses()
        for (gap, count) in gaps.counts { losses.notKept[gap.rawValue] = count }
        return losses
    }
}

/// Finds the identities of the rows of batches.
private final class FHIREncoder: FormatEncoder {
    func encode(_ batch: SampleBatch) throws -> EncodedRows {
        var rows = EncodedRows()
        // Resources are several times as long as their rows, so that they are only written one after the other.
        rows.form = FHIRRows(batch)
        return rows
    }
}

/// The identities of the parts of one span, in which exact copies may lie.
private struct SpanIdentities {
    private var key: SampleBatch.Key?
    private var identities: Set<UInt128> = []
    private var first: [UInt128] = []

    /// Marks the rows that earlier parts of the same span have.
    mutating func mark(_ rows: inout FHIRRows, of part: SampleBatch.Key) {
        var span = part
        span.part = 0
        guard key == span else {
            key = span
            identities = []
            first = rows.identities
            return
        }
        // Most spans have one part, for which no set is needed.
        if identities.isEmpty { identities = Set(first) }
        first = []
        rows.markCopies(of: identities)
        identities.formUnion(rows.identities)
    }
}
