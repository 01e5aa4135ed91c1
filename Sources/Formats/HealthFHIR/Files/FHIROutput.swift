import ByteText
import HealthFormats
import SystemIO

/// The files that resources are written to.
protocol FHIROutput: AnyObject {
    /// Adds a resource of a sample, and before it what recorded the sample, if that was not added yet.
    func add(_ type: String, _ identity: UInt128, _ device: DeviceResource?, _ json: Span<UInt8>) throws
    /// Adds a clinical record.
    func add(_ resource: ClinicalResource) throws
    /// Completes the files.
    ///
    /// - Parameters:
    ///   - patient: The person, if one is to be written.
    ///   - exportDate: The time of the export, as Apple wrote it.
    ///   - gaps: What is in no resource.
    func finish(patient: FHIRResource?, exportDate: String, _ gaps: FHIRGaps) throws
}

/// A file for each type of resource, with a resource on each line, and a manifest (FHIR Bulk Data Access 2.0).
final class NDJSONResources: FHIROutput {
    private let files: any FormatFiles
    private let folder: BytePath
    private var counts: [String: Int] = [:]
    private var observations: [UInt8] = []
    private var observationCount = 0
    private var devices: Set<UInt128> = []
    private var lastDevice: UInt128?

    /// The number of bytes that are written at once.
    private static let pieceSize = 1 << 18

    init(_ files: any FormatFiles, _ folder: BytePath) {
        self.files = files
        self.folder = folder
    }

    func add(_ type: String, _ identity: UInt128, _ device: DeviceResource?, _ json: Span<UInt8>) throws {
        if let device, device.identity != lastDevice {
            lastDevice = device.identity
            if devices.insert(device.identity).inserted {
                let resource = device.json
                try append("Device", resource.span)
            }
        }
        try append(type, json)
    }

    func add(_ resource: ClinicalResource) throws { try append(resource.type, resource.json.span) }

    private func append(_ type: String, _ json: Span<UInt8>) throws {
        guard type == "Observation" else {
            counts[type, default: 0] += 1
            var line = json.array
            line.append(UInt8(ascii: "\n"))
            try files.append(line.span, to: path(type))
            return
        }
        // Almost all resources are observations.
        observations.append(copying: json)
        observations.append(UInt8(ascii: "\n"))
        observationCount += 1
        if observations.count > Self.pieceSize { try flushObservations() }
    }

    private func flushObservations() throws {
        let lines = observations
        try files.append(lines.span, to: path("Observation"))
        observations.removeAll(keepingCapacity: true)
    }

    private func path(_ type: String) -> BytePath { folder / BytePath(type) + ".ndjson" }

    func finish(patient: FHIRResource?, exportDate: String, _ gaps: FHIRGaps) throws {
        if let patient { try append(patient.type, patient.json.span) }
        if observationCount > 0 {
            try flushObservations()
            counts["Observation"] = observationCount
        }
        for type in counts.keys { try files.end(path(type)) }
        let outcome = gaps.outcome
        if let outcome {
            try files.append((outcome + [UInt8(ascii: "\n")]).span, to: path("OperationOutcome"))
            try files.end(path("OperationOutcome"))
        }
        let manifest = folder / "manifest.json"
        try files.append(self.manifest(exportDate, hasOutcome: outcome != nil).span, to: manifest)
        try files.end(manifest)
    }

    private func manifest(_ exportDate: String, hasOutcome: Bool) -> [UInt8] {
        var writer = JSONWriter(pretty: true)
        writer.object { writer in
            if let exported = Timestamp(apple: Array(exportDate.utf8).span) {
                writer.member("transactionTime", exported.iso)
            }
            writer.member("request", "$export")
            writer.member("requiresAccessToken", false)
            writer.key("output")
            writer.array { writer in
                for (type, count) in counts.sorted(by: { $0.key < $1.key }) {
                    Self.write(type, count, &writer)
                }
            }
            writer.key("error")
            writer.array { writer in
                if hasOutcome { Self.write("OperationOutcome", 1, &writer) }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ type: String, _ count: Int, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", type)
            writer.member("url", type + ".ndjson")
            writer.member("count", count)
        }
    }
}

extension FHIRGaps {
    /// An `OperationOutcome` with the counts; nil if there are none.
    fileprivate var outcome: [UInt8]? {
        guard !counts.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("resourceType", "OperationOutcome")
            writer.key("issue")
            writer.array { writer in
                for (gap, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    writer.object { writer in
                        writer.member("severity", gap == .copies ? "information" : "warning")
                        writer.member("code", gap == .copies ? "duplicate" : "not-supported")
                        writer.member("diagnostics", "\(count) \(gap.title)")
                    }
                }
            }
        }
        return writer.bytes
    }
}
