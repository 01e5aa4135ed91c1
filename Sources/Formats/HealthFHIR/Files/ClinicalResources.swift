import ByteText
import HealthModel
import SampleBatches
import SipHash
import SystemIO

/// The clinical records of an export: the versions of their files, and those that were written.
struct ClinicalResources {
    private var versions: [BytePath: String] = [:]
    private var written: Set<UInt128> = []

    /// Adds the records of a batch.
    mutating func add(_ batch: SampleBatch) {
        for sample in batch.samples {
            let record = ClinicalRecord(row: sample.row)
            guard let path = record.filePath else { continue }
            versions[BytePath(path)] = record.fhirVersion ?? ""
        }
    }

    /// Whether a record names the file.
    func isListed(_ name: BytePath) -> Bool { versions[name] != nil }

    /// Whether a record says that the file is in FHIR R4: 4.0.0, 4.0.1.
    func isR4(_ name: BytePath) -> Bool {
        guard let version = versions[name] else { return false }
        return version == "4.0" || version.hasPrefix("4.0.") || version == "R4"
    }

    /// Adds a resource, and returns false if an equal one was added before.
    mutating func insert(_ resource: ClinicalResource) -> Bool {
        written.insert(resource.identity).inserted
    }
}

/// A resource of an institution, passed on unchanged but for white space.
struct ClinicalResource: Sendable {
    /// The resource type.
    let type: String
    /// The resource, on one line.
    let json: [UInt8]
    /// The hash of the resource.
    let identity: UInt128

    /// Reads a file; nil if it is not a resource.
    init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes), ResourceTypes.all.contains(type) else { return nil }
        self.type = type
        let compact = Self.compact(bytes)
        json = compact
        var hash = SipHash128()
        hash.update(compact.span)
        identity = hash.finish()
    }

    /// Returns the resource type that a JSON object states; nil if it states none, or is not JSON.
    private static func type(of bytes: [UInt8]) -> String? {
        var reader = JSONReader(bytes)
        var type: String?
        do {
            try reader.object { reader, key in
                if key == "resourceType" {
                    type = try reader.string()
                } else {
                    try reader.skip()
                }
            }
            try reader.finish()
            return type
        } catch { return nil }
    }

    /// Returns valid JSON without the white space between its tokens.
    private static func compact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isString = false
        var isEscaped = false
        for byte in bytes {
            if isString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == 0x20 || (0x09...0x0d).contains(byte) {
                continue
            }
            result.append(byte)
        }
        return result
    }
}
