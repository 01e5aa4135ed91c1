import ByteText
import SampleBatches
import SipHash

/// Ids of resources: the identity of a sample, in hexadecimal digits.
enum FHIRIdentity: Sendable {
    /// The length of an id in bytes.
    static let length = 32

    /// The namespace of identifiers of samples.
    static let sampleSystem = "urn:healthvault:sample"
    /// The namespace of identifiers of what recorded samples.
    static let deviceSystem = "urn:healthvault:device"
    /// The namespace of identifiers of people.
    static let patientSystem = "urn:healthvault:patient"
    /// The namespace of identifiers of side files.
    static let fileSystem = "urn:healthvault:file"

    /// Returns the id as text.
    static func text(_ identity: UInt128) -> String { Hexadecimal.text(identity) }

    /// Returns the identity as a UUID of version 8 (RFC 9562), for the `fullUrl` of an entry.
    static func urn(_ identity: UInt128) -> String {
        let version = (identity & ~(UInt128(0xf) << 76)) | UInt128(0x8) << 76
        let digits = text((version & ~(UInt128(0x3) << 62)) | UInt128(0x2) << 62)
        var uuid = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { uuid.append("-") }
            uuid.append(digit)
        }
        return "urn:uuid:" + uuid
    }

    /// Returns the identity of what texts describe.
    static func of(_ texts: [String]) -> UInt128 {
        var hash = SipHash128()
        for text in texts {
            let bytes = Array(text.utf8)
            hash.update(UInt64(bytes.count))
            hash.update(bytes.span)
        }
        return hash.finish()
    }

    /// Whether a text can be the id of a resource.
    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }
}
