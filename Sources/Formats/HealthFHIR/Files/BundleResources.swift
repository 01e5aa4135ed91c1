import ByteText
import HealthFormats
import SystemIO

/// Bundles of at most 1,000 entries.
///
/// Those with samples are transactions: each entry creates its resource unless the server has one with the same
/// identifier. Each Bundle contains what recorded its samples. The first one, with the person, is written last, because
/// an export states the person last. Clinical records lie in collections, because they refer to what they do not
/// contain.
final class BundleResources: FHIROutput {
    private let files: any FormatFiles
    private let folder: BytePath
    private var samples: BundleFile?
    private var sampleCount = 0
    private var records: BundleFile?
    private var recordCount = 0

    /// The most entries of a Bundle.
    static let mostEntries = 1000

    init(_ files: any FormatFiles, _ folder: BytePath) {
        self.files = files
        self.folder = folder
    }

    func add(_ type: String, _ identity: UInt128, _ device: DeviceResource?, _ json: Span<UInt8>) throws {
        let needed = device.map { samples?.devices.contains($0.identity) == true ? 1 : 2 } ?? 1
        if let open = samples, open.count + needed > Self.mostEntries {
            try open.finish()
            samples = nil
        }
        let bundle = samples ?? nextSamples()
        if let device, bundle.devices.insert(device.identity).inserted {
            let resource = device.json
            try bundle.add("Device", device.identity, FHIRIdentity.deviceSystem, resource.span)
        }
        try bundle.add(
            type, identity,
            type == "DocumentReference" ? FHIRIdentity.fileSystem : FHIRIdentity.sampleSystem, json)
    }

    private func nextSamples() -> BundleFile {
        sampleCount += 1
        let bundle = BundleFile(files, path("bundle", sampleCount), "transaction")
        samples = bundle
        return bundle
    }

    func add(_ resource: ClinicalResource) throws {
        if let open = records, open.count >= Self.mostEntries {
            try open.finish()
            records = nil
        }
        if records == nil { recordCount += 1 }
        let bundle = records ?? BundleFile(files, path("clinical", recordCount), "collection")
        records = bundle
        try bundle.add(FHIRIdentity.urn(resource.identity), nil, resource.json.span)
    }

    private func path(_ name: String, _ number: Int) -> BytePath {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
        return folder / BytePath("\(name)-\(zeros)\(digits).json")
    }

    func finish(patient: FHIRResource?, exportDate: String, _ gaps: FHIRGaps) throws {
        try samples?.finish()
        try records?.finish()
        guard let patient, let identifier = patient.identifier else { return }
        let bundle = BundleFile(files, path("bundle", 0), "transaction")
        let resource = patient.json
        try bundle.add(
            patient.fullURL, BundleFile.request(patient.type, identifier), resource.span)
        try bundle.finish()
    }
}

/// A file with a Bundle.
private final class BundleFile {
    private let files: any FormatFiles
    private let path: BytePath
    private(set) var count = 0
    /// What recorded the samples that it contains.
    var devices: Set<UInt128> = []
    private var text: [UInt8]

    init(_ files: any FormatFiles, _ path: BytePath, _ type: String) {
        self.files = files
        self.path = path
        text = Array("{\"resourceType\":\"Bundle\",\"type\":\"\(type)\",\"entry\":[\n".utf8)
    }

    /// Adds a resource with an id and an identifier of ours.
    func add(_ type: String, _ identity: UInt128, _ system: String, _ json: Span<UInt8>) throws {
        let identifier = FHIRIdentifier(system: system, value: FHIRIdentity.text(identity))
        try add(FHIRIdentity.urn(identity), Self.request(type, identifier), json)
    }

    /// Returns the request that creates a resource unless there is one with the identifier.
    static func request(_ type: String, _ identifier: FHIRIdentifier) -> String {
        ",\"request\":{\"method\":\"POST\",\"url\":\"\(type)\",\"ifNoneExist\":\"\(identifier.query)\"}"
    }

    /// Adds an entry.
    func add(_ fullURL: String, _ request: String?, _ json: Span<UInt8>) throws {
        if count > 0 { text += Array(",\n".utf8) }
        text += Array("{\"fullUrl\":\"\(fullURL)\",\"resource\":".utf8)
        text.append(copying: json)
        if let request { text += Array(request.utf8) }
        text.append(UInt8(ascii: "}"))
        count += 1
        guard text.count > 1 << 18 else { return }
        try flush()
    }

    /// Completes the file.
    func finish() throws {
        text += Array("\n]}\n".utf8)
        try flush()
        try files.end(path)
    }

    private func flush() throws {
        let bytes = text
        try files.append(bytes.span, to: path)
        text.removeAll(keepingCapacity: true)
    }
}
